import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What SECURITY.md and the README promise about sending, with the test that holds it: a file, and a part of a title. */
const promises: readonly (readonly [promise: string, file: string, title: string])[] = [
  ["the surrounding lines in inline chat", "inline/prompt.test.ts", "hold the lines around it"],
  ["The answer lists them", "e2e/findContext.test.ts", "which the answer lists"],
  [
    "and `/edit` reads only the editor in front",
    "suite/fileGate.test.ts",
    "none at all where context is not to be found",
  ],
  ["also after links are resolved", "suite/fileGate.test.ts", "by what its links lead to"],
  ["or opened by you from elsewhere", "suite/fileGate.test.ts", "where the user opened it there"],
  ["It is not sent if Git or `files.exclude` ignores it", "suite/fileGate.test.ts", "as a secret, or ignored"],
  ["or `files.exclude` ignores it", "suite/excludedFiles.test.ts", "is ${isHidden"],
  ["and copies of them", "reading/secretFiles.test.ts", "is ${path}"],
  ["by the one that it links to", "reading/secretFiles.test.ts", "by the name that its links lead to"],
  ["At most 200 files and 8 MB", "reading/readAllowance.test.ts", "is at most 200 files"],
  ["because an answer names it", "suite/fileGate.test.ts", "is not quoted back"],
  ["because an answer names it", "suite/fileGate.test.ts", "is one of 200 at most"],
  ["only lines that the first one has shown", "chat/edit/repairAnswer.test.ts", "whatever the answer names and quotes"],
  ["only lines that the first one has shown", "suite/fileGate.test.ts", "no line that the first did not have"],
  ["only lines that the first one has shown", "inline/secondPrompt.test.ts", "nothing of what was not quoted"],
  ["the gateway receives the changes, once you ask", "git/generateMessage.test.ts", "from the staged changes alone"],
  ["the gateway receives the changes, once you ask", "git/review/reviewChanges.test.ts", "the staged changes alone"],
  ["in files that may be sent", "suite/recentEdits.test.ts", "none that stays closed"],
  ["only if you attach them, select their lines", "suite/readReferences.test.ts", "sends what the user attached"],
  ["only if you attach them, select their lines", "suite/fileGate.test.ts", "where its lines are selected"],
  ["counts only for `/explain`, `/fix`, `/tests`, and `/doc`", "suite/fileGate.test.ts", "VS Code added the selection"],
  ["In everything that is read from files and changes", "git/generateMessage.test.ts", "never sends secrets"],
  ["In everything that is read from files and changes", "completions/completionPrompt.test.ts", "has no secrets"],
  ["In everything that is read from files and changes", "inline/secondPrompt.test.ts", "quotes no secret"],
  ["a value that looks like a secret is replaced", "text/maskSecrets.test.ts", "masks at least 98 %"],
  ["the value stays too", "edits/maskedFiles.test.ts", "put the secrets back"],
  ["in a new or changed line is refused", "edits/maskedFiles.test.ts", "are refused with a placeholder in"],
  ["Requests name files by their paths in the workspace", "suite/fileGate.test.ts", "without the folders above"],
  ["are removed from diagnostics", "suite/fileGate.test.ts", "in diagnostics, too"],
  ["Nothing is sent on it until you do", "suite/preconnect.test.ts", "and nothing is sent"],
  ["and names no files", "git/generateMessage.test.ts", "and counts these"],
  ["Files that may contain secrets are never sent", "git/generateMessage.test.ts", "only files that may hold secrets"],
  ["are not even named", "git/review/reviewChanges.test.ts", "never sends secrets"],
  ["also if a link leads to one", "suite/fileGate.test.ts", "gets no completions"],
  ["A small workspace is read as a whole, unless", "suite/fileGate.test.ts", "is no context of /edit"],
  ["and the answer says so", "chat/context/planQuestion.test.ts", "says what was not read, not sent"],
];

describe("a promise about what is sent", () => {
  const read = (path: string): string => readFileSync(join(import.meta.dirname, path), "utf8");
  const texts = ["../SECURITY.md", "../README.md"].map((path) => read(path).replace(/\s+/g, " "));
  for (const [promise, file, title] of promises) {
    it(`stands, and has a test: ${promise} (${title})`, () => {
      assert.ok(texts.some((text) => text.includes(promise)));
      assert.ok(new RegExp(`\\bit\\(\\s*["\`].*${RegExp.escape(title)}`).test(read(file)), file);
    });
  }
});
