/**
 * A prompt as the text of an image in a document. Whoever wrote the prompt, which may be a model, must not write code with
 * it: not in the document's own language, nor in that of a template engine that reads the document first.
 */

/** Control characters, and those that change the direction of the text around them or show nothing. */
const unseen = /[\p{Cc}\p{Cs}\p{Co}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu;

/**
 * One line in which no two characters begin something together, as `{{`, `{%`, `<%`, `#{`, `[[` do in one engine or another.
 * A space stands between them, because some engines read what entities and backslashes stand for.
 */
function oneLine(prompt: string): string {
  const line = prompt.replace(unseen, " ").replace(/\s+/g, " ").trim();
  return line.replace(/(?<=[!-/:-@[-`{-~])(?=[{[])|(?<=[{<])(?=[!-/:-@[-`{-~])/g, " ");
}

/** Inside a double-quoted attribute of HTML: everything that HTML or a template engine could read is an entity. */
export function htmlText(prompt: string): string {
  return oneLine(prompt).replace(/["#$%&'<=>@\\^`{|}~]/g, (one) => `&#${String(one.charCodeAt(0))};`);
}

/** Inside an attribute of XML, where stylesheets and Facelets read what entities stand for: without braces. */
export function xmlText(prompt: string): string {
  return htmlText(prompt.replaceAll("{", "(").replaceAll("}", ")"));
}

/**
 * Inside the brackets of a Markdown image. R Markdown runs what stands between backticks, whatever stands before them;
 * prompt files read `#file:`. MDX, attributes, citations and mathematics take a backslash as an escape.
 */
export function markdownText(prompt: string): string {
  return oneLine(prompt.replaceAll("`", "'"))
    .replace(/#(?=[\p{L}_])/gu, "# ")
    .replace(/[\\[\]*_<>&${}|@~^]/g, "\\$&");
}

/** In an option of a reStructuredText directive, without what begins a reference, a role or a substitution in a line. */
export function restructuredText(prompt: string): string {
  return oneLine(prompt.replace(/[`|*\\]/g, "'").replace(/_+(?![\p{L}\p{N}])/gu, " "));
}

/** Words and the marks of a sentence alone, where a language has too many ways to begin something. */
export function plainText(prompt: string): string {
  const words = prompt.replace(/[^\p{L}\p{M}\p{N},.;!?'’“”-]+/gu, " ").replace(unseen, " ");
  return words.replace(/\s+/g, " ").replace(/-{2,}/g, "-").trim();
}
