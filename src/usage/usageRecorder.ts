import type {
  AttemptReport,
  EntryHealth,
  EntryName,
  GatewayOptions,
  RequestTopic,
  Usage,
  UseReport,
} from "../gateway/types.ts";
import { imagesIn, imageTokens } from "../text/promptImages.ts";
import { countableText } from "../text/tokenCounter.ts";
import type { Ledger } from "./ledger.ts";
import { isUsageFeature, type UsageCounts } from "./usageRow.ts";

/** What a recorder needs. */
export interface RecorderOptions {
  readonly ledger: Pick<Ledger, "add" | "addAway">;
  /** Milliseconds since the epoch, and those of a monotonic clock. */
  readonly now: () => number;
  readonly elapsed: () => number;
  readonly estimate: (model: string, text: string) => number;
}

/** Maximum plausible count of one answer. What a gateway reports is not trusted. */
const mostTokens = 100_000_000;

/**
 * How long an entry counts as away after its last failure, in milliseconds, unless there is news earlier: the client's
 * longest pause before it tries again. After that, its state is unknown until the next request.
 */
const knownFor = 300_000;

/** Counts what the client reports. Each report takes well under a millisecond and touches no file. */
export class UsageRecorder {
  readonly #options: RecorderOptions;
  /** When each entry was last seen failing, on the monotonic clock. */
  readonly #failing = new Map<EntryName, number>();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** A request counts as soon as it is sent, because a window may close before its end. */
  readonly onSend = (topic: RequestTopic): void => {
    this.#add(topic, { requests: 1 });
  };

  readonly onAttempt = ({ topic, failure, isSent }: AttemptReport): void => {
    if (topic === undefined || failure === undefined) return;
    if (failure !== "cancelled") this.#add(topic, isSent ? { failures: 1 } : { unsent: 1 });
    else if (isSent) this.#add(topic, { cancelled: 1 });
  };

  readonly onUse = (report: UseReport): void => {
    const { usage, images } = report;
    this.#add(report, { images, ...(usage ? reported(usage) : this.#estimated(report)) });
  };

  /** Derives when entries were away. The time up to the failure that opened a circuit is known, too. */
  readonly onHealth = (health: readonly EntryHealth[]): void => {
    const { now, elapsed } = this.#options;
    for (const { entry, isHealthy, failingSince = now() } of health) {
      const isNew = !this.#failing.has(entry);
      if (isNew && !isHealthy)
        this.#failing.set(entry, elapsed() - Math.min(Math.max(0, now() - failingSince), knownFor));
      this.#countAway(entry);
      if (isHealthy) this.#failing.delete(entry);
    }
  };

  /** Counts the time away up to now. */
  dispose(): void {
    for (const entry of this.#failing.keys()) this.#countAway(entry);
    this.#failing.clear();
  }

  #add({ entry, model, feature }: RequestTopic, counts: Partial<UsageCounts>): void {
    this.#options.ledger.add({ entry, model, feature: isUsageFeature(feature) ? feature : "aiFeature", ...counts });
  }

  /** Counts the time since an entry was last seen failing. A clock that is set meanwhile does not change how long. */
  #countAway(entry: EntryName): void {
    const { now, elapsed, ledger } = this.#options;
    const seen = this.#failing.get(entry);
    if (seen === undefined) return;
    const passed = Math.round(elapsed() - seen);
    const from = now() - passed;
    if (passed > 0) ledger.addAway({ entry, from, to: from + Math.min(passed, knownFor) });
    this.#failing.set(entry, elapsed());
  }

  #estimated({ model, sent, received }: UseReport): Partial<UsageCounts> {
    const part = (text: string, length: number): number => {
      const beginning = sampleOf(text);
      return beginning === "" ? 0 : Math.round((this.#options.estimate(model, beginning) * length) / beginning.length);
    };
    const asked = sent ? countableText(sent) : "";
    return {
      estimatedInputTokens: clamp(part(asked, asked.length) + imageTokens(imagesIn(sent?.messages ?? []))),
      estimatedOutputTokens: received ? clamp(part(received.beginning, received.length)) : 0,
    };
  }
}

/** The client's options, with the recorder hearing of each event first. */
export function withRecorder(options: GatewayOptions, recorder: UsageRecorder): GatewayOptions {
  return {
    ...options,
    onEvent: (event) => {
      if (event.type === "send") recorder.onSend(event.topic);
      if (event.type === "use") recorder.onUse(event);
      if (event.type === "attempt") recorder.onAttempt(event);
      if (event.type === "health") recorder.onHealth(event.health);
      options.onEvent?.(event);
    },
  };
}

function reported({ inputTokens, cachedTokens = 0, outputTokens }: Usage): Partial<UsageCounts> {
  const input = clamp(inputTokens);
  const cachedInputTokens = Math.min(clamp(cachedTokens), input);
  return { inputTokens: input, cachedInputTokens, outputTokens: clamp(outputTokens) };
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
