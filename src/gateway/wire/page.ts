import { bounded, type Clean } from "../../text/withoutKeys.ts";
import type { GatewayErrorDetails } from "../errors.ts";

/** Number of characters that are searched for a page's title. */
const headLength = 64 * 1024;

/** Whether a text is HTML or XML. JSON never starts with `<` (RFC 8259), but messages such as `<400> …` do. */
export function isPage(text: string): boolean {
  return /^<[a-z!?/]/i.test(text.trimStart().slice(0, 2));
}

/** Error details for a web page received instead of an answer. */
export function aboutPage(html: string, clean: Clean): Pick<GatewayErrorDetails, "gatewayMessage" | "page"> {
  const title = bounded(titleOf(html.slice(0, headLength)), clean);
  return { gatewayMessage: title, page: title ?? "" };
}

/** The title of a page. Linear time: each search continues where the previous one ended. */
function titleOf(html: string): string {
  const tag = html.search(/<title[\s>]/i);
  const start = tag < 0 ? -1 : html.indexOf(">", tag);
  if (start < 0) return "";
  const end = html.indexOf("<", start);
  return html.slice(start + 1, end < 0 ? undefined : end);
}
