import type { GatewayEvent, RequestTopic, Usage, UseReport } from "../gateway/types.ts";
import { imagesIn, imageTokens } from "../prompts/promptImages.ts";
import { countableText } from "../prompts/tokenCounter.ts";
import type { Ledger } from "./ledger.ts";
import { isUsageFeature, type UsageCounts } from "./usageRow.ts";

/** Dependencies of a recorder. */
export interface RecorderOptions {
  readonly ledger: Pick<Ledger, "add">;
  readonly estimate: (model: string, text: string) => number;
}

/** Maximum plausible count of one answer. What a gateway reports is not trusted. */
const maxTokens = 100_000_000;

/** Returns a listener that counts the client's events. Each takes well under a millisecond and touches no file. */
export function usageRecorder({ ledger, estimate }: RecorderOptions): (event: GatewayEvent) => void {
  const add = ({ entry, model, feature }: RequestTopic, counts: Partial<UsageCounts>): void => {
    ledger.add({ entry, model, feature: isUsageFeature(feature) ? feature : "aiFeature", ...counts });
  };
  return (event) => {
    // A request counts as soon as it is sent, because a window may close before its end.
    if (event.type === "send") add(event.topic, { requests: 1 });
    else if (event.type === "use") {
      const { usage, images } = event;
      add(event, { images, ...(usage ? reported(usage) : estimated(event, estimate)) });
    } else if (event.type === "attempt") {
      const { topic, failure, isSent } = event;
      if (topic === undefined || failure === undefined) return;
      if (failure !== "cancelled") add(topic, isSent ? { failures: 1 } : { unsent: 1 });
      else if (isSent) add(topic, { cancelled: 1 });
    }
  };
}

function estimated({ model, sent, received }: UseReport, estimate: RecorderOptions["estimate"]): Partial<UsageCounts> {
  const part = (text: string, length: number): number => {
    const sample = sampleOf(text);
    return sample === "" ? 0 : Math.round((estimate(model, sample) * length) / sample.length);
  };
  const asked = sent ? countableText(sent) : "";
  return {
    estimatedInputTokens: clamp(part(asked, asked.length) + imageTokens(imagesIn(sent?.messages ?? []))),
    estimatedOutputTokens: received ? clamp(part(received.beginning, received.length)) : 0,
  };
}

function reported({ inputTokens, cachedTokens = 0, outputTokens }: Usage): Partial<UsageCounts> {
  const input = clamp(inputTokens);
  const cachedInputTokens = Math.min(clamp(cachedTokens), input);
  return { inputTokens: input, cachedInputTokens, outputTokens: clamp(outputTokens) };
}

/** A plausible count: whole, not negative, and not NaN, which would spoil every sum. */
function clamp(tokens: number): number {
  return tokens > 0 ? Math.min(maxTokens, Math.round(tokens)) : 0;
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
