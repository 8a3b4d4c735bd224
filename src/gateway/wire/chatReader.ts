import { asObject, asText, type JsonObject, keysOf } from "../../text/json.ts";
import { GatewayError } from "../errors.ts";
import type { FinishReason } from "../types.ts";
import { type AnswerReader, type ContentPart, Ending, readUsage, unreadable } from "./answerReader.ts";
import { ChatCalls } from "./chatCalls.ts";
import { contentText } from "./contentText.ts";

/** Reads chat completions, as chunks or as a whole, which counts as a single chunk. */
export function chatReader(): AnswerReader {
  const calls = new ChatCalls();
  const ending = new Ending();
  let said = "";
  let hasChoices = false;
  let hasFailed = false;
  let strange: string | undefined;

  /** The part of a message's text that is new. In a stream, the last chunk may repeat what earlier chunks contained. */
  function unsaid(text: string | undefined, isLast: boolean): string | undefined {
    if (text === undefined || said === "") return text;
    if (text.startsWith(said)) return asText(text.slice(said.length));
    return isLast ? undefined : text;
  }

  return {
    ending,
    read(json) {
      if (json.usage != null) ending.usage = readUsage(json.usage) ?? ending.usage;
      if (!Array.isArray(json.choices)) {
        if (json.usage == null) strange ??= keysOf(json);
        return [];
      }
      hasChoices = true;
      const choice = firstChoice(json.choices);
      if (choice === undefined) return [];
      if (choice.usage != null) ending.usage ??= readUsage(choice.usage);
      const reason = asReason(choice.finish_reason);
      const delta = asObject(choice.delta);
      const message = asObject(choice.message);
      const parts: ContentPart[] = [];
      let text = delta && textOf(delta);
      let hasCalls = delta !== undefined && calls.addPieces(delta);
      if (delta) addReasoning(parts, delta);
      if (message) {
        text ??= unsaid(textOf(message), reason !== undefined || ending.isFinished);
        if (parts.length === 0 && said === "") addReasoning(parts, message);
        hasCalls ||= calls.addWhole(message);
      }
      text ??= asText(choice.text);
      if (text !== undefined) {
        said += text;
        parts.push({ type: "text", text });
      }
      ending.note(
        parts.length > 0 || hasCalls,
        reason === undefined ? undefined : (finishReasons.get(reason) ?? "stop"),
      );
      hasFailed ||= reason !== undefined && failures.has(reason);
      return parts;
    },
    end() {
      if (!hasChoices && strange !== undefined) throw unreadable(`The answer has no choices but: ${strange}.`);
      if (hasFailed) throw new GatewayError("serverError", "The model stopped with an error.", { sent: "maybe" });
      const parts = calls.drafts.parts(ending.isCut);
      return [...parts, ...ending.parts(parts.length === 0 ? "stop" : "toolCalls")];
    },
  };
}

/** The choice with index 0; without an index, the first of the list. */
function firstChoice(choices: readonly unknown[]): JsonObject | undefined {
  const isFirst = (element: unknown, place: number): boolean => {
    const choice = asObject(element);
    return choice !== undefined && Number(choice.index ?? place) === 0;
  };
  return asObject(choices.find(isFirst));
}

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ["length", "length"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  ["content_filter", "contentFilter"],
  ["safety", "contentFilter"],
  ["tool_calls", "toolCalls"],
  ["tool_use", "toolCalls"],
  ["function_call", "toolCalls"],
]);

/** Finish reasons that stand for a failure. */
const failures: ReadonlySet<string> = new Set(["error", "failed", "cancelled", "canceled", "abort", "aborted"]);

/** A finish reason in lower case. Some servers send the string "null" until there is one (Ai00-X/ai00_server#90). */
function asReason(value: unknown): string | undefined {
  const reason = asText(value)?.toLowerCase();
  return reason === "null" ? undefined : reason;
}

function addReasoning(parts: ContentPart[], { reasoning_content, reasoning }: JsonObject): void {
  const text = asText(reasoning_content) ?? asText(reasoning);
  if (text !== undefined) parts.push({ type: "reasoning", text });
}

function textOf({ content, refusal }: JsonObject): string | undefined {
  return contentText(content) ?? asText(refusal);
}
