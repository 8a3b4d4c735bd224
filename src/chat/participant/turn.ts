import type { CancellationToken, ChatContext, ChatRequest, ChatResponseStream } from "vscode";

/** One turn of a chat with the participant. `signal` aborts when `token` is cancelled. */
export interface Turn {
  readonly request: ChatRequest;
  readonly context: ChatContext;
  readonly stream: ChatResponseStream;
  readonly token: CancellationToken;
  readonly signal: AbortSignal;
}
