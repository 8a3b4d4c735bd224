import { posix } from "node:path";
import { replaceUnseen } from "../../text/unseen.ts";
import { htmlText, markdownText, plainText, restructuredText as optionText, xmlText } from "./altText.ts";

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
const restructuredText: LinkForm = (path, prompt) =>
  `.. image:: ${path.replace(/[ \\`|*]/g, "\\$&")}\n   :alt: ${optionText(prompt)}\n`;
const asciiDoc: LinkForm = (path, prompt) => `image::${encodeMacro(path)}["${plainText(prompt)}"]`;

const forms: readonly (readonly [LinkForm, readonly string[]])[] = [
  [markdown, ["markdown", "mdx", "quarto", "rmd", "chatagent", "instructions", "prompt"]],
  [html, ["html", "php", "handlebars", "razor", "blade", "erb", "twig", "jinja-html", "django-html", "ejs", "liquid"]],
  [jsx, ["javascriptreact", "typescriptreact", "vue", "vue-html", "svelte", "astro"]],
  [xml, ["xml", "xsl"]],
  [css, ["css", "scss", "sass", "less", "stylus", "postcss", "tailwindcss"]],
  [latex, ["latex", "tex"]],
  [restructuredText, ["restructuredtext"]],
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
