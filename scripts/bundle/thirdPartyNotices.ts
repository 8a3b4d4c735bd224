import type { BundledPackage } from "./bundledPackages.ts";

/** The notices file for all bundled third-party code, with the license texts. */
export function thirdPartyNotices(packages: readonly BundledPackage[]): string {
  const chapters = packages.flatMap(({ parts, ...one }) => [
    [titleOf(one), ...one.texts].join("\n\n"),
    ...parts.map((part) => [`${titleOf(part)}, as part of ${one.name}`, part.text].join("\n\n")),
  ]);
  return `${[introduction, ...chapters].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

const introduction = "Codex Gateway includes code of the following projects, under the licenses given here.";

function titleOf({ name, version, license }: Pick<BundledPackage, "name" | "version" | "license">): string {
  return `${name} ${version} (${license})`;
}
