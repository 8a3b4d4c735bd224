import type { FailedAction, Notice } from "../failures/notice.ts";
import type { Gateway } from "../gateway/types.ts";
import type { Settings } from "../settings/settings.ts";
import type { TokenCounter } from "../text/tokenCounter.ts";
import type { Answer } from "./answer.ts";
import type { CodeTarget } from "./codeTarget.ts";
import type { TypingPauses } from "./typingPauses.ts";

/** The services an answer needs. */
export interface AnswerServices {
  readonly gateway: Pick<Gateway, "ask" | "preconnect">;
  readonly notifier: { report(error: unknown, operation: FailedAction): Pick<Notice, "text"> | undefined };
  readonly settings: () => Settings;
  readonly tokens: Pick<TokenCounter, "room">;
}

/** The services that conversations share. */
export interface ThreadServices extends AnswerServices {
  readonly typing: TypingPauses;
}

/** One run of a question, with the callbacks of its conversation. */
export interface AnswerRun {
  readonly answer: Answer;
  readonly target: CodeTarget;
  /** The code as it is now: it may move while the answer arrives. */
  readonly now: () => CodeTarget;
  /** The answers before this one. */
  readonly earlier: readonly Answer[];
  readonly signal: AbortSignal;
  /** Updates the thread. */
  readonly refresh: () => void;
  /** Asks the question again. */
  readonly retry: () => Promise<void>;
  /** Whether a later run has taken over the answer, so that this one must not change it. */
  readonly isSuperseded: () => boolean;
}
