import { posix } from "node:path";
import { htmlText, markdownText, plainText, restructuredText as optionText, xmlText } from "./altText.ts";

/** Writes a link to an image: its path relative to the document, and the prompt as what it shows. */
type LinkForm = (path: string, prompt: string) => string;

const markdown: LinkForm = (path, prompt) => `![${markdownText(prompt)}](${encodePath(path)})`;
const html: LinkForm = (path, prompt) => `<img src="${encodePath(path)}" alt="${htmlText(prompt)}">`;
const jsx: LinkForm = (path, prompt) => `<img src="${encodePath(path)}" alt="${htmlText(prompt)}" />`;
const xml: LinkForm = (path, prompt) => `<img src="${encodePath(path)}" alt="${xmlText(prompt)}" />`;
const css: LinkForm = (path) => `url("${encodePath(path)}")`;
// LaTeX takes a path as it is, but for the characters that begin something in TeX itself. It has no escape for two of them,
// so a path with these leads nowhere.
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

/** The link to an image in the words of a document's language; the bare path where the language has none. */
export function imageLink(languageId: string, path: string, prompt: string): string {
  // A folder may have any name.
  const line = path.replace(/\p{Cc}+/gu, " ");
  return formOf.get(languageId)?.(line, prompt) ?? line;
}

/** The path of a file as seen from a document, both given as paths of the same file system. */
export function pathFrom(document: string, file: string): string {
  return posix.relative(posix.dirname(document), file);
}

/** A path in a macro of AsciiDoc, where attributes are replaced first. */
function encodeMacro(path: string): string {
  return path.replace(/[%[\]{}+`*^~|<>#"\\]/g, percentEncoded);
}

/** A path as part of a URL. */
function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/");
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed()).replace(/[!'()*]/g, percentEncoded);
}

/** An ASCII character as in a URL. */
function percentEncoded(one: string): string {
  return `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
