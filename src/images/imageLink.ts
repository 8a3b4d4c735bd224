import { posix } from "node:path";
import { escapeHtml } from "./escapeHtml.ts";

/** Writes a link to an image: its path relative to the document, and what it shows. */
type LinkForm = (path: string, alt: string) => string;

const markdown: LinkForm = (path, alt) => `![${alt.replace(/[\\[\]`*_<>&$]/g, "\\$&")}](${encodePath(path)})`;
const html: LinkForm = (path, alt) => `<img src="${encodePath(path)}" alt="${escapeHtml(alt)}">`;
const jsx: LinkForm = (path, alt) => `<img src="${encodePath(path)}" alt="${escapeHtml(alt)}" />`;
const css: LinkForm = (path) => `url("${encodePath(path)}")`;
// LaTeX takes a path as it is, but for the characters that begin something in TeX itself.
const latex: LinkForm = (path) => `\\includegraphics{${path.replace(/[%#{}]/g, "\\$&")}}`;
const restructuredText: LinkForm = (path, alt) => `.. image:: ${path.replaceAll(" ", "\\ ")}\n   :alt: ${alt}\n`;
const asciiDoc: LinkForm = (path, alt) => `image::${path.replaceAll("[", "%5B")}["${alt.replace(/["\]]/g, "\\$&")}"]`;

const forms: readonly (readonly [LinkForm, readonly string[]])[] = [
  [markdown, ["markdown", "mdx", "quarto", "rmd", "chatagent", "instructions", "prompt"]],
  [html, ["html", "php", "handlebars", "razor", "blade", "erb", "twig", "jinja-html", "django-html", "ejs", "liquid"]],
  [jsx, ["javascriptreact", "typescriptreact", "vue", "vue-html", "svelte", "astro", "xml", "xsl"]],
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
  const alt = prompt.replace(/\s+/g, " ").trim();
  return formOf.get(languageId)?.(path, alt) ?? path;
}

/** The path of a file as seen from a document, both given as paths of the same file system. */
export function pathFrom(document: string, file: string): string {
  return posix.relative(posix.dirname(document), file);
}

/** A path as part of a URL. */
function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/");
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
