import type { AttemptReport, EntryHealth, GatewayOptions, RequestTopic, UseReport } from "../gateway/types.ts";
import { countableText } from "../text/countableText.ts";
import { AwayWatch } from "./awayWatch.ts";
import type { Ledger } from "./ledger.ts";
import { sampleOf } from "./sampleOf.ts";
import { isUsageFeature, type UsageDelta } from "./usageRow.ts";

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
