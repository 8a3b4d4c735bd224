import assert from "node:assert/strict";
import type { TextEditor } from "vscode";

/** Waits up to ten seconds for a condition. */
export async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 200; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(condition(), String(condition));
}

/** Inserts a text at the start of a line. */
export async function insert(editor: TextEditor, line: number, text: string): Promise<void> {
  await editor.edit((edit) => {
    edit.insert(editor.document.lineAt(line).range.start, text);
  });
}
