/** A paragraph with only an image or link to a file in the repository. */
const relativeParagraph = /^!?\[[^\]]*\]\((?![a-z]+:|#)[^)]*\)\n\n/gm;

/**
 * The README for VS Code's extension details view, which shows images only from https, not from the package or data:
 * URIs (seen in VS Code 1.139). Without public addresses, removes what would be broken there.
 */
export function packagedReadme(markdown: string): string {
  return markdown.replaceAll(relativeParagraph, "");
}
