import { posix } from "node:path";
import { replaceUnseen } from "../text/unseen.ts";

/** Formats a link to an image: its relative path, with the prompt as alternative text. */
type LinkForm = (path: string, prompt: string) => string;

/** By the languages of documents. */
const forms: Readonly<Record<string, LinkForm>> = {
  "markdown mdx quarto rmd chatagent instructions prompt": (path, prompt) =>
    `![${markdownText(prompt)}](${encodePath(path)})`,
  "html php handlebars razor blade erb twig jinja-html django-html ejs liquid": (path, prompt) =>
    `<img src="${encodePath(path)}" alt="${htmlText(prompt)}">`,
  "javascriptreact typescriptreact vue vue-html svelte astro": (path, prompt) =>
    `<img src="${encodePath(path)}" alt="${htmlText(prompt)}" />`,
  "xml xsl": (path, prompt) => `<img src="${encodePath(path)}" alt="${xmlText(prompt)}" />`,
  "css scss sass less stylus postcss tailwindcss": (path) => `url("${encodePath(path)}")`,
  // LaTeX uses a path verbatim, except for TeX's special characters. Two of them cannot be escaped, so such a path does
  // not work.
  "latex tex": (path) => `\\includegraphics{${path.replace(/[\\^]/g, "?").replace(/[%#{}]/g, "\\$&")}}`,
  restructuredtext: (path, prompt) =>
    `.. image:: ${path.replace(/[ \\`|*]/g, "\\$&")}\n   :alt: ${restructuredText(prompt)}\n`,
  // Attributes are substituted first in a macro.
  asciidoc: (path, prompt) => `image::${path.replace(/[%[\]{}+`*^|~<>#"\\]/g, percentEncoded)}["${plainText(prompt)}"]`,
};

/** Formats a link for a document's language; the plain path for other languages. */
export function imageLink(languageId: string, path: string, prompt: string): string {
  // Names of folders can have them, and such a link is better broken than misleading.
  const line = replaceUnseen(path, () => " ").replace(/\p{Cc}+/gu, " ");
  const [, form] = Object.entries(forms).find(([languages]) => languages.split(" ").includes(languageId)) ?? [];
  return form?.(line, prompt) ?? line;
}

/** The path of a file relative to a document, both on the same file system. */
export function pathFrom(document: string, file: string): string {
  const [from, to] = [document, file].map((path) => path.replace(/^\/[A-Z]:/, (drive) => drive.toLowerCase()));
  return posix.relative(posix.dirname(from ?? ""), to ?? "");
}

/** Encodes a path for a URL. */
function encodePath(path: string): string {
  const segments = path.split("/").map((segment) => encodeURIComponent(segment.toWellFormed()));
  return segments.join("/").replace(/[!'()*]/g, percentEncoded);
}

/** Percent-encodes an ASCII character. */
function percentEncoded(one: string): string {
  return `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

// Prompts as alternative text. A prompt may come from a model, so it must not become code: neither in the document's
// language nor in a template engine that processes it.

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
function htmlText(prompt: string): string {
  return oneLine(prompt).replace(/["#$%&'<=>@\\^`{|}~]/g, (one) => `&#${String(one.charCodeAt(0))};`);
}

/** For an XML attribute: without braces, because XSLT and Facelets decode entities before evaluating them. */
function xmlText(prompt: string): string {
  return htmlText(prompt.replaceAll("{", "(").replaceAll("}", ")"));
}

/**
 * For the brackets of a Markdown image. Backticks are replaced, because R Markdown runs inline code anywhere, even in
 * comments (rstudio/rmarkdown#1348). `#file:` is a reference in VS Code's prompt files. MDX, attributes, citations and
 * math are escaped with backslashes.
 */
function markdownText(prompt: string): string {
  return oneLine(prompt.replaceAll("`", "'"))
    .replace(/#(?=[\p{L}_])/gu, "# ")
    .replace(/[\\[\]*_<>&${}|@~^]/g, "\\$&");
}

/** For an option of a reStructuredText directive, without references, roles and substitutions. */
function restructuredText(prompt: string): string {
  return oneLine(prompt.replace(/[`|*\\]/g, "'").replace(/_+(?![\p{L}\p{N}])/gu, " "));
}

/** Only words and punctuation, for languages with many constructs. */
function plainText(prompt: string): string {
  const words = withoutHidden(prompt).replace(/[^\p{L}\p{M}\p{N},.;!?'’“”-]+/gu, " ");
  return words.replace(/\s+/g, " ").replace(/-{2,}/g, "-").trim();
}
