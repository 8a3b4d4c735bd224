/**
 * Converts prompts to alternative text for a document. The prompt may come from a model, so it must not become code:
 * neither in the document's language nor in a template engine that processes it.
 */

/** Control characters, and those that are invisible or change the text's direction. */
const unseen = /[\p{Cc}\p{Cs}\p{Co}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu;

/**
 * Joins lines and separates character pairs that start a construct in some template engine, such as `{{`, `{%`, `<%`,
 * `#{` and `[[`, with a space. Entities and backslashes do not help, because template engines can decode them first.
 */
function oneLine(prompt: string): string {
  const line = prompt.replace(unseen, " ").replace(/\s+/g, " ").trim();
  return line.replace(/(?<=[!-/:-@[-`{-~])(?=[{[])|(?<=[{<])(?=[!-/:-@[-`{-~])/g, " ");
}

/** For a double-quoted HTML attribute: characters with a meaning in HTML or template engines become entities. */
export function htmlText(prompt: string): string {
  return oneLine(prompt).replace(/["#$%&'<=>@\\^`{|}~]/g, (one) => `&#${String(one.charCodeAt(0))};`);
}

/** For an XML attribute: without braces, because XSLT and Facelets decode entities before evaluating them. */
export function xmlText(prompt: string): string {
  return htmlText(prompt.replaceAll("{", "(").replaceAll("}", ")"));
}

/**
 * For the brackets of a Markdown image. Backticks are replaced, because R Markdown runs inline code anywhere, even in
 * comments (rstudio/rmarkdown#1348). `#file:` is a reference in VS Code's prompt files. MDX, attributes, citations and
 * math are escaped with backslashes.
 */
export function markdownText(prompt: string): string {
  return oneLine(prompt.replaceAll("`", "'"))
    .replace(/#(?=[\p{L}_])/gu, "# ")
    .replace(/[\\[\]*_<>&${}|@~^]/g, "\\$&");
}

/** For an option of a reStructuredText directive, without references, roles and substitutions. */
export function restructuredText(prompt: string): string {
  return oneLine(prompt.replace(/[`|*\\]/g, "'").replace(/_+(?![\p{L}\p{N}])/gu, " "));
}

/** Only words and punctuation, for languages with many constructs. */
export function plainText(prompt: string): string {
  const words = prompt.replace(/[^\p{L}\p{M}\p{N},.;!?'’“”-]+/gu, " ").replace(unseen, " ");
  return words.replace(/\s+/g, " ").replace(/-{2,}/g, "-").trim();
}
