import {
  commands,
  ConfigurationTarget,
  type Diagnostic,
  type DiagnosticCollection,
  languages,
  type TextEditor,
  Uri,
  window,
  workspace,
} from "vscode";
import { diskFiles } from "../../src/apply/diskFiles.ts";
import { EditStore } from "../../src/apply/editStore.ts";
import { type EditAnswer, offerEdits } from "../../src/chat/edit/offerEdits.ts";
import type { ChatRequest } from "../../src/gateway/types.ts";
import { prefix } from "../../src/manifest.ts";
import { FileGate } from "../../src/reading/fileGate.ts";
import { WindowSecrets } from "../../src/text/secrets/windowSecrets.ts";

/** A gate where Git ignores the files with this word in their paths. */
export const gate = new FileGate((files) =>
  Promise.resolve(new Map(files.filter(({ path }) => path.includes("ignored")).map((file) => [file, "ignored"]))),
);

/** The edits that are stored in a folder. */
export function editsIn(folder: string, now?: () => number): EditStore {
  return new EditStore(folder, diskFiles, now && { now });
}

/** Disposes of something at the end of the block that uses it. */
export function disposing<T extends { dispose(): unknown }>(value: T): T & Disposable {
  return Object.assign(value, { [Symbol.dispose]: () => void value.dispose() });
}

/** Waits until what was decided about edits is stored. */
export async function stored(edits: EditStore): Promise<void> {
  await edits.queue.run(() => Promise.resolve());
}

/** The secrets of a window. */
export const secrets = new WindowSecrets();

/** Offers the edits of an answer: their id if there are any, and what is shown below it. Nothing answers the second request. */
export async function offer(
  edits: EditStore,
  text: string,
  parts: EditAnswer["parts"] = [],
  asked: (request: ChatRequest) => void = () => undefined,
): Promise<{ readonly id: string | undefined; readonly shown: string }> {
  const shown: string[] = [];
  const ask = (request: ChatRequest): never => {
    asked(request);
    throw new Error("There is no second answer.");
  };
  const { edit } = await offerEdits(
    { gateway: { ask }, edits, gate, secrets },
    {
      text,
      parts,
      reason: "stop",
      shownLength: 0,
      maxPromptTokens: 100_000,
      intent: "always",
      target: undefined,
      request: { api: "auto", model: "m", messages: [], feature: "chat" },
      stream: { markdown: (value) => void shown.push(typeof value === "string" ? value : value.value) },
      signal: new AbortController().signal,
    },
  );
  return { id: edit, shown: shown.join("\n").replaceAll("\\", "") };
}

/** A file or folder of the workspace. */
export function at(path: string): Uri {
  return Uri.joinPath(workspace.workspaceFolders?.[0]?.uri ?? Uri.file("/"), path);
}

/** Opens a new document. VS Code 1.139.1 may fill it from the backup of one that has just been closed and had its name. */
export async function open(content: string): Promise<TextEditor> {
  const editor = await window.showTextDocument(await workspace.openTextDocument({ content }));
  if (editor.document.getText() === content) return editor;
  await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  return await open(content);
}

/** Inserts a text at the start of a line. */
export async function insert(editor: TextEditor, line: number, text: string): Promise<void> {
  await editor.edit((edit) => {
    edit.insert(editor.document.lineAt(line).range.start, text);
  });
}

/** Sets settings of the extension for the user; `undefined` unsets one. */
export async function configure(values: Readonly<Record<string, unknown>>): Promise<void> {
  const configuration = workspace.getConfiguration(prefix);
  for (const [name, value] of Object.entries(values)) {
    await configuration.update(name, value, ConfigurationTarget.Global);
  }
}

/** Opens a file and inserts a text at its start, which it leaves unsaved. */
export async function type(uri: Uri, text: string): Promise<void> {
  await insert(await window.showTextDocument(uri, { preview: false }), 0, text);
}

/** Reports problems as a language service does, and waits until extensions have heard of them. */
export async function report(
  collection: DiagnosticCollection,
  uri: Uri,
  problems: readonly Diagnostic[],
): Promise<void> {
  const heard = new Promise<void>((resolve) => {
    const listener = languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((one) => one.toString() === uri.toString())) return;
      listener.dispose();
      resolve();
    });
  });
  collection.set(uri, problems);
  await heard;
}
