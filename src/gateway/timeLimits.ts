import type { ExchangeLimits } from "./network/exchange.ts";

/** Time limits of the client, in milliseconds. There is no limit on the total duration of an answer. */
export interface TimeLimits extends ExchangeLimits {
  /** Time without data before an entry is checked, while no other entry could answer. */
  readonly silence: number;
  /** The same while another entry could answer, and after a first failed check. */
  readonly silenceWithStandby: number;
  readonly silenceAfterCheck: number;
  /** Replaces `connect` while another entry is healthy. Also for a whole liveness check of a silent entry. */
  readonly connectWithStandby: number;
  /** Wait for usage or `[DONE]` after the finish reason. */
  readonly afterFinish: number;
  /** Total time for an image download, including retries and redirects. */
  readonly download: number;
  /** Time after which a download no longer counts for the limit on concurrent downloads. */
  readonly downloadSlot: number;
}

/** Answers get minutes, not seconds: reasoning models are silent for long, and an image can take minutes. */
export const defaultTimeLimits: TimeLimits = {
  connect: 10_000,
  connectWithStandby: 3_000,
  headers: 600_000,
  idle: 300_000,
  silence: 20_000,
  silenceWithStandby: 5_000,
  silenceAfterCheck: 2_000,
  afterFinish: 1_000,
  download: 600_000,
  downloadSlot: 10_000,
};
