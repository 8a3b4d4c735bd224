import { posix } from "node:path";
import { replaceInvisible } from "../text/hiddenText.ts";

/** Formats a link to an image: its relative path, with the prompt as alternative text. */
type LinkForm = (path: string, prompt: string) => string;

/** By the languages of documents. */
const forms: Readonly<Record<string, LinkForm>> = {
  "markdown mdx quarto rmd chatagent instructions prompt": (path, prompt) =>
    `![${altText(prompt)}](${encodePath(path)})`,
  // The slash means nothing in HTML, and is required in JSX and XML (HTML Standard, 13.1.2.1).
  [`html php handlebars razor blade erb twig jinja-html django-html ejs liquid javascriptreact typescriptreact vue vue-html
    svelte astro xml xsl`]: (path, prompt) => `<img src="${encodePath(path)}" alt="${altText(prompt)}" />`,
  "css scss sass less stylus postcss tailwindcss": (path) => `url("${encodePath(path)}")`,
  // LaTeX uses a path verbatim, except for TeX's special characters. Two of these cannot be escaped.
  "latex tex": (path) => `\\includegraphics{${path.replace(/[\\^]/g, "?").replace(/[%#{}]/g, "\\$&")}}`,
  restructuredtext: (path, prompt) => `.. image:: ${path.replace(/[ \\`|*]/g, "\\$&")}\n   :alt: ${altText(prompt)}\n`,
  // Attributes are substituted first in a macro.
  asciidoc: (path, prompt) => `image::${path.replace(/[%[\]{}+`*^|~<>#"\\]/g, percentEncoded)}["${altText(prompt)}"]`,
};

/** Formats a link for a document's language; the plain path for other languages. */
export function imageLink(languageId: string, path: string, prompt: string): string {
  // Folder names can contain invisible characters. A broken link is better than a misleading one.
  const line = replaceInvisible(path, () => " ").replace(/\p{Cc}+/gu, " ");
  const [, form] = Object.entries(forms).find(([languages]) => languages.split(/\s+/).includes(languageId)) ?? [];
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
 * become code in the document's language or in a template engine, whatever either decodes.
 */
function altText(prompt: string): string {
  const words = replaceInvisible(prompt, () => " ").replaceAll("'", "’");
  return words
    .replace(/[^\p{L}\p{M}\p{N},.;!?’“”-]+/gu, " ")
    .replace(/-{2,}/g, "-")
    .trim();
}
