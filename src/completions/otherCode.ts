import { type Disposable, Range, type TextDocument, type Uri, workspace } from "vscode";
import { setTimeout } from "node:timers/promises";
import { isExcluded } from "../reading/excludeSettings.ts";
import type { FileGate } from "../reading/fileGate.ts";
import { nameInRequests } from "../reading/promptPaths.ts";
import type { WindowSecrets } from "../text/secrets/windowSecrets.ts";
import { openDocument, urisInTabs } from "../ui/openDocument.ts";
import { schemes } from "./editorGate.ts";
import { bestPiece, type Piece } from "./completionPromptText.ts";

/** A line that was edited. */
interface Edit {
  readonly uri: Uri;
  readonly line: number;
}

const maxEdits = 6;
const linesAround = 4;
/** Edits that are fewer lines apart count as one, and those that are fewer lines from the cursor not at all. */
const nearbyLines = 20;

/** Maximum numbers of open files that are read, and of pieces of them. */
const maxFiles = 12;
const maxPieces = 3;

/** How long the gate for files may take, in milliseconds. */
const gateTimeout = 200;

/** Largest document that is read, in characters. */
const largest = 500_000;

/** Code in other places of the workspace that helps with a completion. */
export class OtherCode {
  readonly #gate: FileGate;
  readonly #secrets: Pick<WindowSecrets, "learn">;
  readonly #listener: Disposable;
  #edits: readonly Edit[] = [];

  constructor({ gate, secrets }: { readonly gate: FileGate; readonly secrets: Pick<WindowSecrets, "learn"> }) {
    this.#gate = gate;
    this.#secrets = secrets;
    this.#listener = workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
      const [change] = contentChanges;
      if (change === undefined || !schemes.includes(uri.scheme) || isOutsideWorkspace(uri)) return;
      const edit = { uri, line: change.range.start.line };
      this.#edits = [...this.#edits.filter((known) => !isNear(known, edit)), edit].slice(-maxEdits);
    });
  }

  /** The code around recent edits, the oldest first, except near the cursor. */
  async edits(uri: Uri, line: number): Promise<readonly Piece[]> {
    const edits = this.#edits.filter((edit) => !isNear(edit, { uri, line }));
    const documents = await this.#sendable(edits.map((edit) => edit.uri));
    return edits.flatMap((edit) => {
      const around = new Range(Math.max(0, edit.line - linesAround), 0, edit.line + linesAround + 1, 0);
      const text = documents.get(edit.uri)?.getText(around);
      return text === undefined ? [] : [{ path: nameInRequests(edit.uri), text }];
    });
  }

  /** The pieces of open files, in the language of a document, that share most names with the code at the cursor. */
  async neighbors({ uri, languageId }: TextDocument, code: string): Promise<readonly Piece[]> {
    const others = [...new Map(urisInTabs().map((other) => [other.toString(), other])).values()].filter(
      (other) =>
        other.toString() !== uri.toString() &&
        schemes.includes(other.scheme) &&
        openDocument(other)?.languageId === languageId,
    );
    const documents = await this.#sendable(others.slice(0, maxFiles));
    const pieces = [...documents.values()].flatMap((document) => {
      const piece = bestPiece(document.getText(), code);
      return piece === undefined ? [] : [{ ...piece, path: nameInRequests(document.uri) }];
    });
    return pieces.toSorted((one, other) => other.shared - one.shared).slice(0, maxPieces);
  }

  dispose(): void {
    this.#listener.dispose();
  }

  /** The documents of the files that are open and may be sent; none if the gate is too slow. */
  async #sendable(uris: readonly Uri[]): Promise<ReadonlyMap<Uri, TextDocument>> {
    const denied = await Promise.race([this.#gate.denied(uris), setTimeout(gateTimeout)]).catch(() => undefined);
    const documents = new Map<Uri, TextDocument>();
    for (const uri of uris) {
      const document = openDocument(uri);
      const text = document?.getText() ?? "";
      if (!document || denied?.has(uri) !== false || isExcluded(uri, "search") || text.length > largest) continue;
      await this.#secrets.learn(text, nameInRequests(uri));
      documents.set(uri, document);
    }
    return documents;
  }
}

/** Whether a file is outside the workspace. VS Code itself edits its settings files, for example. */
function isOutsideWorkspace(uri: Uri): boolean {
  return ["file", "vscode-remote"].includes(uri.scheme) && !workspace.getWorkspaceFolder(uri);
}

function isNear(one: Edit, other: Edit): boolean {
  return Math.abs(one.line - other.line) < nearbyLines && one.uri.toString() === other.uri.toString();
}
