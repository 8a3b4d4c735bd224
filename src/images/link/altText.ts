import { replaceUnseen } from "../../text/unseen.ts";

/**
 * Converts prompts to alternative text for a document. The prompt may come from a model, so it must not become code:
 * neither in the document's language nor in a template engine that processes it.
 */

/** Replaces what nobody sees by blanks: control and invisible characters, and those that change the text's direction. */
function withoutHidden(text: string): string {
  return replaceUnseen(text, () => " ").replace(/[\p{Co}\u2800]/gu, " ");
}

/**
 * Joins lines and separates character pairs that start a construct in some template engine, such as `{{`, `{%`, `<%`,
 * `#{` and `[[`, with a space. Entities and backslashes do not help, because template engines can decode them first.
 */
function oneLine(prompt: string): string {
  const line = withoutHidden(prompt).replace(/\s+/g, " ").trim();
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
  const words = withoutHidden(prompt).replace(/[^\p{L}\p{M}\p{N},.;!?'’“”-]+/gu, " ");
  return words.replace(/\s+/g, " ").replace(/-{2,}/g, "-").trim();
}
