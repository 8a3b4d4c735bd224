import { packageStub } from "../support/host/packageStub.ts";

const manifest = {
  name: "plain",
  publisher: "bench",
  version: "1.0.0",
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
  return packageStub(folder, manifest, code);
}
