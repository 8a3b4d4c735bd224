import type { CommitMessages } from "./commitMessages.ts";

/** What the commands for commit messages need. */
export interface CommitMessageServices {
  readonly commitMessages: CommitMessages;
}

/** The commands for commit messages. A button passes the `SourceControl` of its repository. */
export const commitMessageCommands = {
  generateCommitMessage: ({ commitMessages }: CommitMessageServices, argument?: unknown): Promise<void> =>
    commitMessages.generate(argument),
  stopCommitMessage: ({ commitMessages }: CommitMessageServices, argument?: unknown): void => {
    commitMessages.stop(argument);
  },
};
