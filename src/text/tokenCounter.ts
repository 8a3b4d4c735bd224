import { estimateTokens } from "./estimateTokens.ts";

interface Totals {
  readonly estimated: number;
  readonly reported: number;
}

/** As if so many tokens had been estimated rightly already: one small request does not turn the scale. */
const trust: Totals = { estimated: 4_000, reported: 4_000 };

/** Older requests count half as much after so many estimated tokens, so that the scale follows the gateway. */
const memory = 200_000;

/** How far from the bare estimate a gateway can lead it: it may count otherwise, but not count something else. */
const bounds = { least: 0.8, most: 1.5 };

/** Counts tokens, each model on its own scale, which the usage reported by the gateway sets. */
export class TokenCounter {
  readonly #totals = new Map<string, Totals>();

  /** The tokens of a text for a model. */
  count(model: string, text: string): number {
    return Math.ceil(estimateTokens(text) * this.#scale(model));
  }

  /** Learns from a request: what its texts were estimated at without any scale, and what the gateway reported. */
  learn(model: string, estimated: number, reported: number): void {
    if (estimated <= 0 || reported <= 0) return;
    const totals = this.#totals.get(model) ?? trust;
    const keep = totals.estimated > memory ? 0.5 : 1;
    this.#totals.set(model, {
      estimated: totals.estimated * keep + estimated,
      reported: totals.reported * keep + reported,
    });
  }

  #scale(model: string): number {
    const { estimated, reported } = this.#totals.get(model) ?? trust;
    return Math.min(bounds.most, Math.max(bounds.least, reported / estimated));
  }
}
