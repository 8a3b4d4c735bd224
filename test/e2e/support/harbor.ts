/** A file in which a review finds a bug, depending on how long its loop goes on. */
export const harbor = (condition: string): string =>
  `export function dock(ships: string[]): void {\n  for (let i = 0; ${condition}; i++) {\n    console.log(ships[i]);\n  }\n}\n`;

/** A block of an answer that replaces lines of a file. */
export const block = (file: string, old: string, lines: string): string =>
  `${file}\n\`\`\`typescript\n<<<<<<< SEARCH\n${old}\n=======\n${lines}\n>>>>>>> REPLACE\n\`\`\``;
