import { posix } from "node:path";
import { replaceInvisible } from "../text/invisible.ts";

/** Formats a link to an image: its relative path, with the prompt as alternative text. */
type LinkForm = (path: string, prompt: string) => string;

/** By the languages of documents. */
const forms: Readonly<Record<string, LinkForm>> = {
  "markdown mdx quarto rmd chatagent instructions prompt": (path, prompt) =>
    `![${altText(prompt)}](${encodePath(path)})`,
  "html php handlebars razor blade erb twig jinja-html django-html ejs liquid": (path, prompt) =>
    `<img src="${encodePath(path)}" alt="${altText(prompt)}">`,
  "javascriptreact typescriptreact vue vue-html svelte astro": (path, prompt) =>
    `<img src="${encodePath(path)}" alt="${altText(prompt)}" />`,
  "xml xsl": (path, prompt) => `<img src="${encodePath(path)}" alt="${altText(prompt)}" />`,
  "css scss sass less stylus postcss tailwindcss": (path) => `url("${encodePath(path)}")`,
  // LaTeX uses a path verbatim, except for TeX's special characters. Two of them cannot be escaped, so such a path does
  // not work.
  "latex tex": (path) => `\\includegraphics{${path.replace(/[\\^]/g, "?").replace(/[%#{}]/g, "\\$&")}}`,
  restructuredtext: (path, prompt) => `.. image:: ${path.replace(/[ \\`|*]/g, "\\$&")}\n   :alt: ${altText(prompt)}\n`,
  // Attributes are substituted first in a macro.
  asciidoc: (path, prompt) => `image::${path.replace(/[%[\]{}+`*^|~<>#"\\]/g, percentEncoded)}["${altText(prompt)}"]`,
};

/** Formats a link for a document's language; the plain path for other languages. */
export function imageLink(languageId: string, path: string, prompt: string): string {
  // Names of folders can have them, and such a link is better broken than misleading.
  const line = replaceInvisible(path, () => " ").replace(/\p{Cc}+/gu, " ");
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

/**
 * A prompt as alternative text, the same in all languages: words and punctuation. It may come from a model and must not
 * become code, neither in the document's language nor in a template engine that processes it, whatever either decodes.
 */
function altText(prompt: string): string {
  const words = replaceInvisible(prompt, () => " ").replaceAll("'", "’");
  return words
    .replace(/[^\p{L}\p{M}\p{N},.;!?’“”-]+/gu, " ")
    .replace(/-{2,}/g, "-")
    .trim();
}
