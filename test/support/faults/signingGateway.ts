import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { asArray, asObject, type JsonObject } from "../../../src/base/json.ts";
import { bodyOf, event, sendJson, stream } from "./faults.ts";
import type { Fault } from "./faultServer.ts";

/**
 * A gateway whose answers through responses carry signed reasoning, and that refuses items which are changed, missing, out
 * of order, or another account's. It proves that items come back unchanged, not that the answers are better.
 */
export class SigningGateway {
  /** The account behind the gateway, which may change at any time, as in a gateway that spreads over several. */
  account = "one";
  /** How many answers call a tool before the last one ends the turn. */
  readonly #calls: number;
  readonly #issued = new Map<string, JsonObject[]>();
  /** What was wrong with refused requests. */
  readonly refusals: string[] = [];

  constructor(calls: number) {
    this.#calls = calls;
  }

  /** Answers a request of an agent turn. */
  readonly answer: Fault = (exchange) => {
    const { model = "", input, include, store } = bodyOf(exchange.request);
    const items = asArray(input).map((item) => asObject(item) ?? {});
    const own = items.filter(({ type, phase }) => type === "reasoning" || (type === "message" && phase !== undefined));
    const flaw = own.length === 0 ? undefined : this.#flawOf(items, own);
    if (flaw !== undefined) {
      this.refusals.push(flaw);
      sendJson(400, { error: { message: flaw, code: "invalid_encrypted_content" } })(exchange);
      return;
    }
    const results = items.filter(({ type }) => type === "function_call_output").length;
    const output = this.#outputAt(results + 1, String(model));
    const isAsked = isDeepStrictEqual([include, store], [["reasoning.encrypted_content"], false]);
    const sent = isAsked ? output : output.filter(({ type }) => type !== "reasoning");
    if (isAsked && results < this.#calls) this.#issued.set(this.account, [...this.#own, ...sent.slice(0, 2)]);
    const response = { id: `resp_${results}`, status: "completed", output: sent };
    const done = sent.map((item, output_index) => ({ type: "response.output_item.done", output_index, item }));
    stream([...done, { type: "response.completed", response }].map(event).join(""))(exchange);
  };

  get #own(): readonly JsonObject[] {
    return this.#issued.get(this.account) ?? [];
  }

  #flawOf(items: readonly JsonObject[], own: readonly JsonObject[]): string | undefined {
    if (own.length !== this.#own.length) return "Items are missing, or are not of this account.";
    if (!own.every((item, index) => isDeepStrictEqual(item, this.#own[index]))) return "An item is not as it was.";
    const calls = items.flatMap((item, index) => (item.type === "reasoning" ? [items[index + 2]?.type] : []));
    return calls.every((type) => type === "function_call") ? undefined : "Reasoning stands without its call.";
  }

  #outputAt(step: number, model: string): readonly JsonObject[] {
    const sign = (what: string): string =>
      createHmac("sha256", this.account).update(`${model} ${step} ${what}`).digest("base64");
    const text = (said: string): JsonObject => ({ type: "output_text", text: said, annotations: [], logprobs: [] });
    if (step > this.#calls) return [{ type: "message", id: "msg_end", role: "assistant", content: [text("Done.")] }];
    const id = `${this.account}_${step}`;
    return [
      { type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: sign("reasoning"), status: null },
      { type: "message", id: `msg_${id}`, role: "assistant", phase: "commentary", content: [text(`Step ${step}. `)] },
      // The spaces would be lost if the arguments were written anew.
      { type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, name: "look", arguments: `{ "at":  ${step} }` },
    ];
  }
}
