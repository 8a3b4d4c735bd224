/** One line of foreign text as Markdown that shows exactly that: no emphasis, HTML, image, icon or link, bare addresses included. */
export function escapeMarkdown(line: string): string {
  return line.replace(/[\\`*_[\]<>~|$&#:@!]/g, "\\$&").replace(/\bwww\./gi, (start) => `${start.slice(0, -1)}\\.`);
}
