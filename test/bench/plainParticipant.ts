import { createVSIX } from "@vscode/vsce";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const manifest = {
  name: "plain",
  publisher: "bench",
  version: "1.0.0",
  engines: { vscode: "^1.127.0" },
  main: "./main.js",
  activationEvents: ["onStartupFinished"],
  contributes: { chatParticipants: [{ id: "bench.plain", name: "plain", description: "Answers at once" }] },
};

const code = `
const { chat } = require("vscode");
exports.activate = ({ subscriptions }) => {
  const answer = ({ prompt }, _, stream) => stream.markdown(prompt);
  subscriptions.push(chat.createChatParticipant("bench.plain", answer));
};`;

/** Packages an extension with a participant, `@plain`, that repeats the question at once: the least that VS Code takes. */
export async function packagePlainParticipant(folder: string): Promise<string> {
  const [source, vsix] = [join(folder, "plain"), join(folder, "plain.vsix")];
  await mkdir(source);
  await writeFile(join(source, "package.json"), JSON.stringify(manifest));
  await writeFile(join(source, "main.js"), code);
  const noQuestions = { skipLicense: true, allowMissingRepository: true };
  await createVSIX({ cwd: source, packagePath: vsix, dependencies: false, ...noQuestions });
  return vsix;
}
