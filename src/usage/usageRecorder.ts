import type {
  AttemptReport,
  EntryHealth,
  EntryName,
  GatewayOptions,
  RequestTopic,
  UseReport,
} from "../gateway/types.ts";
import { countableText } from "../text/countableText.ts";
import type { Ledger } from "./ledger.ts";
import { type AwayInterval, isUsageFeature, type UsageDelta } from "./usageRow.ts";

/** What a recorder needs. */
export interface RecorderOptions {
  readonly ledger: Pick<Ledger, "add" | "addAway">;
  /** Milliseconds since the epoch, and those of a monotonic clock. */
  readonly now: () => number;
  readonly elapsed: () => number;
  /** Estimates the tokens of a text for a model. */
  readonly estimate: (model: string, text: string) => number;
}

/** Maximum plausible count of one answer. What a gateway reports is not trusted. */
const mostTokens = 100_000_000;

/** Counts what the client reports. Each report takes well under a millisecond and touches no file. */
export class UsageRecorder {
  readonly #ledger: RecorderOptions["ledger"];
  readonly #estimate: RecorderOptions["estimate"];
  readonly #away: AwayWatch;

  constructor({ ledger, estimate, now, elapsed }: RecorderOptions) {
    this.#ledger = ledger;
    this.#estimate = estimate;
    this.#away = new AwayWatch({
      now,
      elapsed,
      onAway: (interval) => {
        ledger.addAway(interval);
      },
    });
  }

  /** A request counts as soon as it is sent, because a window may close before its end. */
  onSend(topic: RequestTopic): void {
    this.#ledger.add({ ...keyOf(topic), requests: 1 });
  }

  onAttempt({ topic, failure, isSent }: AttemptReport): void {
    if (topic === undefined || failure === undefined) return;
    if (failure === "cancelled") {
      if (isSent) this.#ledger.add({ ...keyOf(topic), cancelled: 1 });
    } else this.#ledger.add({ ...keyOf(topic), ...(isSent ? { failures: 1 } : { unsent: 1 }) });
  }

  onUse(report: UseReport): void {
    const { usage, images } = report;
    const tokens = usage
      ? { inputTokens: clamp(usage.inputTokens), outputTokens: clamp(usage.outputTokens) }
      : this.#estimated(report);
    this.#ledger.add({ ...keyOf(report), images, ...tokens });
  }

  onHealth(health: readonly EntryHealth[]): void {
    this.#away.onHealth(health);
  }

  /** Counts the time away up to now. */
  dispose(): void {
    this.#away.dispose();
  }

  #estimated({ model, sent, received }: UseReport): Partial<UsageDelta> {
    const part = (text: string, length: number): number => {
      const beginning = sampleOf(text);
      return beginning === "" ? 0 : Math.round((this.#estimate(model, beginning) * length) / beginning.length);
    };
    const asked = sent ? countableText(sent) : "";
    return {
      estimatedInputTokens: clamp(part(asked, asked.length)),
      estimatedOutputTokens: received ? clamp(part(received.beginning, received.length)) : 0,
    };
  }
}

/** The client's options, with the recorder hearing what the given callbacks hear. */
export function withRecorder(options: GatewayOptions, recorder: UsageRecorder): GatewayOptions {
  return {
    ...options,
    onSend: (topic) => {
      recorder.onSend(topic);
      options.onSend?.(topic);
    },
    onAttempt: (report) => {
      recorder.onAttempt(report);
      options.onAttempt?.(report);
    },
    onUse: (report) => {
      recorder.onUse(report);
      options.onUse?.(report);
    },
    onHealth: (health) => {
      recorder.onHealth(health);
      options.onHealth?.(health);
    },
  };
}

function keyOf({ entry, model, feature }: RequestTopic): Pick<UsageDelta, "entry" | "model" | "feature"> {
  return { entry, model, feature: isUsageFeature(feature) ? feature : "aiFeature" };
}

/** A count that can be added up. One that is none would spoil the row that it is added to. */
function clamp(tokens: number): number {
  return tokens > 0 ? Math.min(mostTokens, Math.round(tokens)) : 0;
}

/** Number and length of the pieces, in characters. */
const pieces = 8;
const pieceLength = 1_000;

/** Evenly spread pieces of a long text, to estimate its tokens in a fraction of the time; a short text as it is. */
function sampleOf(text: string): string {
  if (text.length <= pieces * pieceLength) return text;
  const step = (text.length - pieceLength) / (pieces - 1);
  const starts = Array.from({ length: pieces }, (_, index) => Math.floor(index * step));
  return starts.map((start) => text.slice(start, start + pieceLength)).join("");
}

/** What a watch needs. */
interface AwayWatchOptions {
  /** Milliseconds since the epoch, and those of a monotonic clock. */
  readonly now: () => number;
  readonly elapsed: () => number;
  readonly onAway: (interval: AwayInterval) => void;
}

/**
 * How long an entry counts as away after its last failure, in milliseconds, unless there is news earlier: the client's
 * longest pause before it tries again. After that, its state is unknown until the next request.
 */
const knownFor = 300_000;

/** Derives from the entries' health when they were away. */
class AwayWatch {
  readonly #options: AwayWatchOptions;
  /** When each entry was last seen failing, on the monotonic clock. */
  readonly #seen = new Map<EntryName, number>();

  constructor(options: AwayWatchOptions) {
    this.#options = options;
  }

  onHealth(health: readonly EntryHealth[]): void {
    const elapsed = this.#options.elapsed();
    for (const { entry, isHealthy, failingSince } of health) {
      this.#count(entry, elapsed);
      if (isHealthy) this.#seen.delete(entry);
      else this.#seen.set(entry, this.#seen.has(entry) ? elapsed : this.#start(failingSince, elapsed));
      // The time up to the failure that opened the circuit is known, too.
      if (!isHealthy) this.#count(entry, elapsed);
    }
  }

  /** Counts what is known up to now. */
  dispose(): void {
    for (const entry of this.#seen.keys()) this.#count(entry, this.#options.elapsed());
    this.#seen.clear();
  }

  /** Counts the time since an entry was last seen failing. A clock that is set meanwhile does not change how long. */
  #count(entry: EntryName, elapsed: number): void {
    const seen = this.#seen.get(entry);
    if (seen === undefined) return;
    const passed = Math.round(elapsed - seen);
    const from = this.#options.now() - passed;
    if (passed > 0) this.#options.onAway({ entry, from, to: from + Math.min(passed, knownFor) });
    this.#seen.set(entry, elapsed);
  }

  #start(failingSince: number | undefined, elapsed: number): number {
    const before = failingSince === undefined ? 0 : this.#options.now() - failingSince;
    return elapsed - Math.min(Math.max(0, before), knownFor);
  }
}
