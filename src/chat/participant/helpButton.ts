import type { Command } from "vscode";
import type { Notice } from "../../failures/notice.ts";

/** The button below a failure in a chat: what its notification offers first and a command can do. */
export function helpButton({ actions }: Pick<Notice, "actions">): Command | undefined {
  const action = actions.find(({ call }) => call !== undefined);
  return action?.call && { title: action.title, ...action.call };
}
