/** When an answer changes files: always, or only if the question asks for it. */
export type EditWish = "always" | "ifAsked";

/** The rules for an answer that changes files: a short plan, and a patch. */
export function editRules(wish: EditWish): string {
  const start =
    wish === "always"
      ? "The user asks you to change the files of a workspace. Write a short plan first, a few sentences in the language of the question about what changes and why, without code. Then write the changes as exactly one patch, at the end of the answer:"
      : "If files of the workspace have to change or to be created, explain briefly in the language of the question, and write the changes as exactly one patch at the end of the answer, instead of code blocks:";
  return [
    start,
    example,
    [
      "Paths are written as above the files that are quoted, relative to the workspace, with `/`.",
      "Lines below `*** Update File` start with a blank for context, `-` for removed and `+` for added lines. Copy context and removed lines exactly from the file, with their indentation. Give about three lines of context above and below each change, and more where they occur more than once in the file. Write `@@` before each place, with the line of the class or function that it is in, if there is one. Never write line numbers.",
      "Keep the hunks small: one for each place, in the order of the file. Never abbreviate, neither old nor new lines. Never repeat a whole file to change it.",
      "Change only what the question asks for, and everything that has to change with it, such as imports, callers, and tests. Change no file that you have not read. If the question cannot be answered without files that are not quoted, name them instead of writing a patch.",
    ].join("\n"),
  ].join("\n\n");
}

const example = `\`\`\`\`\`
*** Begin Patch
*** Update File: path/of/file.ts
@@ function name(
 a line that stays
-a line that goes
+a line that comes
 a line that stays
*** Add File: path/of/new.ts
+all lines of the new file
*** Delete File: path/of/old.ts
*** Update File: path/of/before.ts
*** Move to: path/of/after.ts
@@
 a line that stays
-a line that goes
+a line that comes
*** End Patch
\`\`\`\`\``;
