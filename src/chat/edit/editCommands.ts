import type { EditActions } from "./editActions.ts";

/** What the commands for edits need. */
export interface EditCommandServices {
  readonly editActions: EditActions;
}

type Command = (services: EditCommandServices, argument?: unknown) => Promise<void>;

/** The commands for edits of several files. Buttons pass the id of their edit, links with the position of a file. */
export const editCommands = {
  applyEdit: ({ editActions }, argument) => editActions.apply(argument),
  reviewEdit: ({ editActions }, argument) => editActions.review(argument),
  skipFile: ({ editActions }, argument) => editActions.skip(argument),
  undoEdit: ({ editActions }, argument) => editActions.undo(argument),
  keepEdit: ({ editActions }, argument) => editActions.keep(argument),
} satisfies Record<string, Command>;
