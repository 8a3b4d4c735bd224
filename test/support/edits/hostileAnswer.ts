import fc from "fast-check";

/** Lines that a model knows of files that it has not seen, to have what stands around them quoted. */
export const anchors = ["{", "}", "NODE_ENV=", "-----BEGIN RSA PRIVATE KEY-----", "[default]", "---", "import x;", ""];

/** Answers with edits in all forms, of which nothing fits: they name files, and begin with lines that these have. */
export function hostileAnswer(paths: readonly string[], guesses: readonly string[]): fc.Arbitrary<string> {
  const path = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...paths) },
    fc.constantFrom(...paths).map((name) => `a/${name}`),
    fc.constantFrom(...paths).map((name) => name.replace(/^.*\//, "")),
    fc.string({ maxLength: 20 }),
  );
  const line = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...anchors) },
    { weight: 2, arbitrary: fc.constantFrom(...guesses) },
    fc.string({ maxLength: 30 }),
  );
  const edit = fc
    .record({ name: path, old: fc.array(line, { minLength: 1, maxLength: 30 }), form: fc.nat({ max: 4 }) })
    .map(({ name, old, form }) => {
      const removed = old.map((text) => `-${text}`).join("\n");
      if (form === 0)
        return `\`\`\`\`\`\n*** Begin Patch\n*** Update File: ${name}\n@@\n${removed}\n+x\n*** End Patch\n\`\`\`\`\``;
      if (form === 1)
        return `${name}\n\`\`\`\`\`\n<<<<<<< SEARCH\n${old.join("\n")}\n=======\nx\n>>>>>>> REPLACE\n\`\`\`\`\``;
      if (form === 2)
        return `\`\`\`diff\n--- a/${name}\n+++ b/${name}\n@@ -1,${old.length} +1,1 @@\n${removed}\n+x\n\`\`\``;
      if (form === 3) return `\`\`\`\`\`\n*** Begin Patch\n*** Add File: ${name}\n+x\n*** End Patch\n\`\`\`\`\``;
      return `${name}\n\`\`\`\`\`\n${old.join("\n")}\n// ... existing code ...\n\`\`\`\`\``;
    });
  return fc.array(edit, { minLength: 1, maxLength: 7 }).map((edits) => edits.join("\n\n"));
}

/** The lines of files that a request tells although they were neither shown nor in the answer that it is about. */
export function newlyRevealed(request: string, secrets: readonly string[], known: string): readonly string[] {
  return secrets.filter((line) => request.includes(line) && !known.includes(line));
}
