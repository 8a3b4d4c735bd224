import type { GatewayErrorDetails } from "../errors.ts";
import { bounded, type Clean } from "./withoutKeys.ts";

/** Where a page's title stands, if it has one; pages may be of any length. */
const headLength = 64 * 1024;

/** Whether a text is a web page, or XML as some proxies send it. No JSON begins so. */
export function isPage(text: string): boolean {
  return text.trimStart().startsWith("<");
}

/** What an error knows about a page that came instead of an answer. */
export function aboutPage(html: string, clean: Clean): Pick<GatewayErrorDetails, "gatewayMessage" | "page"> {
  const title = bounded(titleOf(html.slice(0, headLength)), clean);
  return { gatewayMessage: title, page: title ?? "" };
}

/** Linear, whatever the page: every search goes on where the one before it ended. */
function titleOf(html: string): string {
  const tag = html.search(/<title[\s>]/i);
  const start = tag < 0 ? -1 : html.indexOf(">", tag);
  if (start < 0) return "";
  const end = html.indexOf("<", start);
  return html.slice(start + 1, end < 0 ? undefined : end);
}
