/** A block of an answer that replaces lines of a file. */
export const block = (file: string, old: string, lines: string): string =>
  `${file}\n\`\`\`typescript\n<<<<<<< SEARCH\n${old}\n=======\n${lines}\n>>>>>>> REPLACE\n\`\`\``;
