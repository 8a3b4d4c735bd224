import { posix } from "node:path";
import { replaceUnseen } from "../text/unseen.ts";

/** Formats a link to an image: its relative path, with the prompt as alternative text. */
type LinkForm = (path: string, prompt: string) => string;

const markdown: LinkForm = (path, prompt) => `![${markdownText(prompt)}](${encodePath(path)})`;
const html: LinkForm = (path, prompt) => `<img src="${encodePath(path)}" alt="${htmlText(prompt)}">`;
const jsx: LinkForm = (path, prompt) => `<img src="${encodePath(path)}" alt="${htmlText(prompt)}" />`;
const xml: LinkForm = (path, prompt) => `<img src="${encodePath(path)}" alt="${xmlText(prompt)}" />`;
const css: LinkForm = (path) => `url("${encodePath(path)}")`;
// LaTeX uses a path verbatim, except for TeX's special characters. Two of them cannot be escaped, so such a path does
// not work.
const latex: LinkForm = (path) => `\\includegraphics{${path.replace(/[\\^]/g, "?").replace(/[%#{}]/g, "\\$&")}}`;
const reStructured: LinkForm = (path, prompt) =>
  `.. image:: ${path.replace(/[ \\`|*]/g, "\\$&")}\n   :alt: ${restructuredText(prompt)}\n`;
const asciiDoc: LinkForm = (path, prompt) => `image::${encodeMacro(path)}["${plainText(prompt)}"]`;

const forms: readonly (readonly [LinkForm, readonly string[]])[] = [
  [markdown, ["markdown", "mdx", "quarto", "rmd", "chatagent", "instructions", "prompt"]],
  [html, ["html", "php", "handlebars", "razor", "blade", "erb", "twig", "jinja-html", "django-html", "ejs", "liquid"]],
  [jsx, ["javascriptreact", "typescriptreact", "vue", "vue-html", "svelte", "astro"]],
  [xml, ["xml", "xsl"]],
  [css, ["css", "scss", "sass", "less", "stylus", "postcss", "tailwindcss"]],
  [latex, ["latex", "tex"]],
  [reStructured, ["restructuredtext"]],
  [asciiDoc, ["asciidoc"]],
];

const formOf: ReadonlyMap<string, LinkForm> = new Map(
  forms.flatMap(([form, languages]) => languages.map((language) => [language, form] as const)),
);

/** Formats a link for a document's language; the plain path for other languages. */
export function imageLink(languageId: string, path: string, prompt: string): string {
  // Names of folders can have them, and such a link is better broken than misleading.
  const line = replaceUnseen(path, () => " ").replace(/\p{Cc}+/gu, " ");
  return formOf.get(languageId)?.(line, prompt) ?? line;
}

/** The path of a file relative to a document, both on the same file system. */
export function pathFrom(document: string, file: string): string {
  return posix.relative(posix.dirname(document), file);
}

/** Encodes a path for an AsciiDoc macro, where attributes are substituted first. */
function encodeMacro(path: string): string {
  return path.replace(/[%[\]{}+`*^~|<>#"\\]/g, percentEncoded);
}

/** Encodes a path for a URL. */
function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/");
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed()).replace(/[!'()*]/g, percentEncoded);
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
