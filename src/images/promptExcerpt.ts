import { env, l10n } from "vscode";
import { quote } from "../text/safeText.ts";

/** As many characters of a prompt as a question before an order shows. */
const longest = 200;

/** The beginning of a prompt, and how much more of it there is. `escape` makes it fit for where it is shown. */
export function promptExcerpt(prompt: string, escape = (text: string): string => text): string {
  // Quotation marks in the prompt must not look as if they ended it.
  const whole = quote(prompt, Infinity).replace(/[“”]/g, '"');
  const more = Array.from(whole).length - longest;
  const beginning = escape(Array.from(whole).slice(0, longest).join(""));
  if (more <= 0) return `“${beginning}”`;
  return l10n.t("“{0}” … and {1} more characters", beginning, more.toLocaleString(env.language));
}
