import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./paths.ts";

/**
 * The README as VS Code can show it where an extension comes from a file: there nothing relative is found, so images
 * become data: URIs and links to other files of the repository go.
 */
export async function inlineImages(markdown: string): Promise<string> {
  let text = markdown.replaceAll(/^\[[^\]]*\]\((?![a-z]+:|#)[^)]*\)\n\n/gm, "");
  for (const [image, alt = "", path = ""] of text.matchAll(/!\[([^\]]*)\]\(([^):]+\.png)\)/g)) {
    const bytes = await readFile(join(root, path), "base64");
    text = text.replace(image, `![${alt}](data:image/png;base64,${bytes})`);
  }
  return text;
}
