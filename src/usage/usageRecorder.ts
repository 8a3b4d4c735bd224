import type { AttemptReport, GatewayOptions, RequestTopic, Usage, UseReport } from "../gateway/types.ts";
import { imagesIn, imageTokens } from "../text/promptImages.ts";
import { countableText } from "../text/tokenCounter.ts";
import type { Ledger } from "./ledger.ts";
import { isUsageFeature, type UsageCounts } from "./usageRow.ts";

/** What a recorder needs. */
export interface RecorderOptions {
  readonly ledger: Pick<Ledger, "add">;
  readonly estimate: (model: string, text: string) => number;
}

/** Maximum plausible count of one answer. What a gateway reports is not trusted. */
const mostTokens = 100_000_000;

/** Counts what the client reports. Each report takes well under a millisecond and touches no file. */
export class UsageRecorder {
  readonly #options: RecorderOptions;

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

  #add({ entry, model, feature }: RequestTopic, counts: Partial<UsageCounts>): void {
    this.#options.ledger.add({ entry, model, feature: isUsageFeature(feature) ? feature : "aiFeature", ...counts });
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
