/** A paragraph that is an image or a link to another file of the repository, and nothing else. */
const relativeParagraph = /^!?\[[^\]]*\]\((?![a-z]+:|#)[^)]*\)\n\n/gm;

/**
 * The README for the details view of VS Code, which shows images from https alone, not from the package and not from
 * data: URIs (looked at in 1.139). There are no public addresses to point at, so what would be broken there goes.
 */
export function packagedReadme(markdown: string): string {
  return markdown.replaceAll(relativeParagraph, "");
}
