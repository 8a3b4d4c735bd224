import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What SECURITY.md, the README, and the pages in docs promise about what is sent, written, run, downloaded, and stored, with the test that holds it: a file, and a part of a title, in a call or in a row of a table. */
const promises: readonly (readonly [promise: string, file: string, title: string])[] = [
  ["is kept in memory only", "settings/keyGuard.test.ts", "is never stored"],
  ["runs without a shell", "settings/keyCommand.test.ts", "without a shell"],
  ["and ends with the window", "settings/keyCommand.test.ts", "when the window closes"],
  ["outside the workspace", "settings/keyCommand.test.ts", "in absolute folders outside the workspace"],
  ["before one is sent to another origin, you are asked", "settings/keyGuard.test.ts", "entries of its first use"],
  ["A set-up link carries no key and no command", "setup/readSetUpLink.test.ts", "is refused with"],
  ["Nothing is written before you choose **Set Up**", "e2e/setUp.test.ts", "writes nothing before Set Up"],
  ["the surrounding lines in inline chat", "inline/ask/prompt.test.ts", "hold the lines around it"],
  ["The answer lists them", "e2e/chat.test.ts", "which the answer lists"],
  ["and `/edit` reads only the editor in front", "suite/fileGate.test.ts", "where context is not to be found"],
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
  ["only lines that the first one has shown", "inline/answer/repair.test.ts", "nothing of what was not quoted"],
  ["the gateway receives the changes, once you ask", "git/generateMessage.test.ts", "from the staged changes alone"],
  ["the gateway receives the changes, once you ask", "git/review/reviewChanges.test.ts", "the staged changes alone"],
  ["in files that may be sent", "suite/otherCode.test.ts", "none that stays closed"],
  ["only if you attach them, select their lines", "suite/fileGate.test.ts", "sends what the user attached"],
  ["only if you attach them, select their lines", "suite/fileGate.test.ts", "where its lines are selected"],
  ["counts only for `/explain`, `/fix`, `/tests`, and `/doc`", "suite/fileGate.test.ts", "VS Code added the selection"],
  ["In everything that is read from files and changes", "git/generateMessage.test.ts", "never sends secrets"],
  ["In everything that is read from files and changes", "completions/completionPrompt.test.ts", "has no secrets"],
  ["In everything that is read from files and changes", "inline/answer/repair.test.ts", "quotes no secret"],
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
  ["and the answer says so", "suite/extensionLines.test.ts", "says what was cut, not read, not sent"],
  ["without a key, only from `http:` and `https:`", "gateway/faults/imageFile.test.ts", "carries no key along"],
  ["with limits on size, time, and redirects", "gateway/faults/imageFile.test.ts", "may take only so long in all"],
  ["Image addresses on this machine are refused", "gateway/faults/imageFile.test.ts", "asks no inner address"],
  ["Link-local and cloud metadata addresses", "gateway/faults/imageFile.test.ts", "metadata addresses never"],
  ["uses the address that was checked", "gateway/network/privateAddresses.test.ts", "as a name is connected to"],
  ["if this computer can resolve it too", "gateway/faults/imageFile.test.ts", "no proxy for a name that is"],
  ["if this computer can resolve it too", "gateway/faults/imageFile.test.ts", "no proxy of the system either"],
  ["never overwrites a file", "suite/imageSaver.test.ts", "numbers images that finish together"],
  ["not even through a symbolic link", "suite/imageSaver.test.ts", "a link that leads out of the workspace"],
  ["or when another window recovers the image", "suite/imageSaver.test.ts", "another window's workspace"],
  ["or when another window recovers the image", "suite/pendingImages.test.ts", "keep the folder of the workspace"],
  ["leaves out files that can run code", "suite/inlineEdits.test.ts", "that can run code without being started"],
  ["has no invisible characters", "completions/cleanCompletion.test.ts", "is no completion: it"],
  ["has no invisible characters", "git/cleanMessage.test.ts", "has nothing that nobody sees in the box"],
  ["has no invisible characters", "images/imageLink.test.ts", "has nothing that nobody sees"],
  ["take only what the thread shows", "inline/answer/proposal.test.ts", "if VS Code renders only a part of it"],
  ["take only what the thread shows", "inline/answer/shownAnswer.test.ts", "is copied as far as it is shown"],
  ["stays in the workspace and out of ignored files", "suite/hostileEdits.test.ts", "is refused as a whole, by name"],
  ["It is not applied in Restricted Mode", "e2e/restricted.test.ts", "changes no files, and says what has to be done"],
  ["Deleting a file asks first", "e2e/workspaceEdits.test.ts", "asks before it deletes a file"],
  ["dotfiles, configuration, and build files", "text/runsCode.test.ts", "can run code without being started"],
  ["dotfiles, configuration, and build files", "suite/hostileEdits.test.ts", "where it changes settings"],
  ["whatever its folder is called", "text/gitFolders.test.ts", "in a bare repository by any name"],
  ["whatever its folder is called", "suite/hostileEdits.test.ts", "is refused in a bare repository by any name"],
  ["The same holds for what undoes an edit", "suite/hostileEdits.test.ts", "where the folder is a repository by now"],
  ["and for what mends one after a crash", "suite/hostileEdits.test.ts", "is mended where the workspace is trusted"],
  ["deletes only its own files", "suite/pendingImages.test.ts", "deleted by their id in the extension's own storage"],
  ["a command, open an address, or load a picture", "e2e/workspaceEdits.test.ts", "loads no picture and runs"],
  ["applies only what its thread or a diff editor shows", "suite/inlineEdits.test.ts", "cannot show them as a whole"],
  ["is never repeated automatically", "gateway/faults/mixed.test.ts", "orders an image once"],
  ["90 days, up to 500 images", "suite/imageHistory.test.ts", "forgets what is older than 90 days"],
  ["90 days, up to 500 images", "suite/imageHistory.test.ts", "remembers five hundred images"],
  ["30 days; until the image is saved", "suite/pendingImages.test.ts", "loses links after 30 days"],
  ["the last 20 edits", "apply/applyChange.test.ts", "stays in the store until 20 later ones"],
  ["cannot read the files of edits", "apply/applyChange.test.ts", "is stored where only the user can read it"],
  ["and the counts", "usage/ledger.test.ts", "keeps its files to the user"],
  ["writes all files or none", "apply/applyChange.test.ts", "when the window is killed at any step"],
];

describe("a promise to users", () => {
  const read = (path: string): string => readFileSync(join(import.meta.dirname, path), "utf8");
  const pages = globSync("../{SECURITY,README,docs/*}.md", { cwd: import.meta.dirname });
  const texts = pages.map((path) => read(path).replace(/\s+/g, " "));
  for (const [promise, file, title] of promises) {
    it(`stands, and has a test: ${promise} (${title})`, () => {
      assert.ok(texts.some((text) => text.includes(promise)));
      assert.ok(new RegExp(`(?:\\b(?:it|posixIt)\\(|\\[)\\s*["\`].*${RegExp.escape(title)}`).test(read(file)), file);
    });
  }
});
