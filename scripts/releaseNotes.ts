import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { root } from "./paths.ts";

/**
 * The section of CHANGELOG.md on a version, for a release page, which shows each line break in a paragraph.
 *
 * @throws if the changelog has no section for it, or an empty one.
 */
export function releaseNotes(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`[${version}]`)) ?? "";
  const [, ...lines] = section.trim().split("\n");
  const notes = lines.join("\n").trim();
  if (notes === "") throw new Error(`CHANGELOG.md says nothing about version ${version}.`);
  return `${notes.replaceAll(/(?<=\S)\n *(?![-#\n ])/g, " ")}\n`;
}

if (import.meta.main)
  process.stdout.write(releaseNotes(readFileSync(join(root, "CHANGELOG.md"), "utf8"), manifest.version));
