import type { ExchangeLimits } from "./network/exchange.ts";

/** Time limits of the client, in milliseconds. There is none on an answer of a model that moves. */
export interface Limits extends ExchangeLimits {
  /** Instead of `connect` while a healthy other entry stands by. */
  readonly connectWithStandby: number;
  /** Without a byte until the entry is asked whether it lives. */
  readonly silence: number;
  /** For usage or `[DONE]` after an answer has said that it is over. */
  readonly afterFinish: number;
  /** For the whole download of an image file, repetitions and redirects included. */
  readonly download: number;
}

/** Minutes, not seconds, for answers: codex models think, and images take minutes. */
export const defaultLimits: Limits = {
  connect: 10_000,
  connectWithStandby: 3_000,
  headers: 600_000,
  idle: 300_000,
  silence: 20_000,
  afterFinish: 1_000,
  download: 600_000,
};
