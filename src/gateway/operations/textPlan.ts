import type { JsonObject } from "../../text/json.ts";
import type { GatewayError } from "../errors.ts";
import type { ChatRequest, EntryName, TextApi } from "../types.ts";
import type { AnswerReader } from "../wire/answerReader.ts";
import { chatBody, chatFieldsOf } from "../wire/chatCompletions.ts";
import { chatReader } from "../wire/chatReader.ts";
import { responsesBody, responsesFieldsOf } from "../wire/responses.ts";
import { responsesReader } from "../wire/responsesReader.ts";
import { ApiChoice } from "./apiChoice.ts";
import { FieldChoice } from "./fieldChoice.ts";
import type { Refused } from "./finalError.ts";
import type { TextKnowledge } from "./textMemories.ts";

/** The wire format of an API. */
export interface Style {
  readonly operation: "chat" | "responses";
  readonly path: string;
  body(request: ChatRequest, dropped: ReadonlySet<string>): JsonObject;
  /** The undocumented fields that the body uses, in the order in which they are given up. */
  fieldsOf(request: ChatRequest, dropped: ReadonlySet<string>): readonly string[];
  reader(): AnswerReader;
}

const styles: Record<TextApi, Style> = {
  chatCompletions: {
    operation: "chat",
    path: "/chat/completions",
    body: chatBody,
    fieldsOf: chatFieldsOf,
    reader: chatReader,
  },
  responses: {
    operation: "responses",
    path: "/responses",
    body: responsesBody,
    fieldsOf: responsesFieldsOf,
    reader: responsesReader,
  },
};

/** How an entry is asked. */
interface Plan {
  readonly api: TextApi;
  readonly style: Style;
  readonly fields: FieldChoice;
}

/** How one operation asks each entry: through which API, and with which undocumented fields. */
export class TextPlan {
  readonly #request: ChatRequest;
  readonly #apis: ApiChoice;
  readonly #plans: Readonly<Record<TextApi, Plan>>;

  constructor(request: ChatRequest, known: TextKnowledge, now: () => number) {
    const { switchedOff } = known;
    const planFor = (api: TextApi): Plan => ({
      api,
      style: styles[api],
      fields: new FieldChoice({
        switchedOff,
        memory: (entry) => known.fieldMemory(entry, api),
        fieldsOf: (dropped) => styles[api].fieldsOf(request, dropped),
        now,
      }),
    });
    this.#request = request;
    this.#plans = { chatCompletions: planFor("chatCompletions"), responses: planFor("responses") };
    this.#apis = new ApiChoice({
      api: request.api ?? "auto",
      model: request.model,
      hasTools: request.tools !== undefined && request.tools.length > 0 && !switchedOff.has("tools"),
      memory: (entry) => known.apiMemory(entry),
      now,
    });
  }

  at(entry: EntryName): Plan {
    return this.#plans[this.#apis.at(entry)];
  }

  /** Changes what `failure` rejects, if that makes the request worth repeating: see `FieldChoice` and `ApiChoice`. */
  revise(failure: GatewayError, entry: EntryName, isLast: boolean): Refused["by"] | undefined {
    const { style, fields } = this.at(entry);
    const dropped = fields.dropped(entry);
    const verdict = this.#apis.revise(failure, entry, style.fieldsOf(this.#request, dropped));
    if (verdict === "turned") {
      if (isLast) this.at(entry).fields.drop(dropped);
      return "api";
    }
    // There is nothing to guess about a refusal of the API.
    const by = fields.revise(failure, entry, { isLast, mayGuess: verdict === undefined });
    if (by !== undefined) return by;
    // The first API may take the question without a field that it named, such as `reasoning_effort`.
    const first = this.#apis.turnBack(failure, entry);
    return first && this.at(entry).fields.revise(first, entry, { isLast, mayGuess: false });
  }

  /** Learns from a successful request to `entry` without the fields in `left`. */
  learn(entry: EntryName, left: ReadonlySet<string>): void {
    const { style, fields } = this.at(entry);
    this.#apis.learn(entry);
    fields.learn(entry, style.fieldsOf(this.#request, left));
  }

  /** The undocumented fields that are left out because the gateway rejects them. */
  dropped(entry: EntryName): readonly string[] {
    const { style, fields } = this.at(entry);
    const refused = fields.dropped(entry);
    return style.fieldsOf(this.#request, new Set()).filter((field) => refused.has(field));
  }
}
