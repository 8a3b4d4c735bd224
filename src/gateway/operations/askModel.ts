import type { JsonObject } from "../../base/json.ts";
import { GatewayError, type GatewayErrorKind, withDetails } from "../errors.ts";
import type { AnswerItems, AnswerPart, ChatRequest, TextApi } from "../types.ts";
import { TransportError } from "../network/exchange.ts";
import { readAnswer } from "../wire/readAnswer.ts";
import type { AnswerReader } from "../wire/answerReader.ts";
import { ChatReader } from "../wire/chatReader.ts";
import type { AnswerState, ContentPart } from "../wire/answerState.ts";
import { chatBody, responsesBody } from "../wire/requestBodies.ts";
import { ResponsesReader } from "../wire/responsesReader.ts";
import { Attempt } from "./attempt.ts";
import { failOver, type Target } from "./failover.ts";
import { requiresStream } from "./refusal.ts";
import type { OperationContext } from "./sharedContext.ts";
import { droppedIn, TextPlan } from "./textPlan.ts";

interface Style {
  readonly operation: "chat" | "responses";
  readonly path: string;
  readonly body: (request: ChatRequest, omitted: ReadonlySet<string>) => JsonObject;
  reader(source: Pick<AnswerItems, "entry" | "model">): AnswerReader;
}

/** The wire formats. */
export const styles: Record<TextApi, Style> = {
  chatCompletions: { operation: "chat", path: "/chat/completions", body: chatBody, reader: () => new ChatReader() },
  responses: {
    operation: "responses",
    path: "/responses",
    body: responsesBody,
    reader: (source) => new ResponsesReader(source),
  },
};

/** An answer whose first part has arrived; nothing is retried from then on. */
interface OpenAnswer {
  readonly call: Attempt;
  readonly target: Target;
  readonly first: readonly ContentPart[];
  readonly rest: AsyncGenerator<readonly ContentPart[]>;
  readonly dropped: readonly string[];
  readonly api: TextApi;
  /** The request, without tools if these were omitted. */
  readonly sent: ChatRequest;
  readonly state: AnswerState;
}

/** Maximum length of the reported beginning of an answer, in characters. */
const maxBeginning = 16_000;

/**
 * Asks a text model and yields the answer's parts as they arrive. Retries and fails over until the first part; after that, a
 * failure is final. Reports the answer's beginning, its end and its usage to the host.
 */
export async function* askModel(
  context: OperationContext,
  request: ChatRequest,
): AsyncGenerator<AnswerPart, undefined> {
  const { memory, host, settings } = context.shared;
  const { feature, model } = request;
  const { call, target, first, rest, dropped, api, sent, state } = await failOver(context, ({ name }) => {
    const plan = new TextPlan(request, name, settings, memory);
    return {
      ask: (next, key) => open(context, next, key, plan),
      revise: (failure, left) => plan.revise(failure, left),
    };
  });
  const entry = target.entry.name;
  const isChosen = request.api !== api;
  const hasTools = (sent.tools ?? []).length > 0;
  host.onEvent?.({ type: "answer", entry, what: "text", ...(isChosen && { api, model, hasTools }) });
  if (dropped.length > 0) host.onEvent?.({ type: "omitted", model, fields: dropped });
  let isWhole = false;
  const received = { beginning: "", length: 0 };
  try {
    yield { type: "start", entry, requestId: call.requestId, dropped, ...(isChosen && { api }) };
    for (let parts = first; ;) {
      for (const part of parts) {
        // The consumer may stop after the last part.
        if (part.type === "finish") isWhole = true;
        else if (part.type !== "items" && part.type !== "usage") {
          const text = part.type === "toolCall" ? `${part.name} ${JSON.stringify(part.input)}` : part.text;
          received.length += text.length;
          if (received.beginning.length < maxBeginning) received.beginning += text.slice(0, maxBeginning);
        }
        yield part;
      }
      const next = await rest.next();
      if (next.done) break;
      parts = next.value;
    }
    isWhole = true;
  } catch (error) {
    isWhole = false;
    throw afterCommit(call.fail(error), target);
  } finally {
    await rest.return(undefined);
    if (isWhole) call.succeed(state.unknownReason);
    // No effect after a failure, which has ended the attempt.
    else call.fail(new Error("The consumer stopped."));
    const usage = isWhole || state.isFinished ? state.usage : undefined;
    host.onEvent?.({ type: "use", entry, model, feature, usage, images: 0, sent, received });
  }
}

/** Makes one attempt, up to the first part. */
async function open(context: OperationContext, target: Target, key: string, plan: TextPlan): Promise<OpenAnswer> {
  const { limits } = context.shared;
  const { name } = target.entry;
  const shape = plan.next();
  const { api, request, omitted: refused } = shape;
  const style = styles[api];
  const { operation, path } = style;
  const more = [...(target.withoutStream ? ["stream"] : []), ...(target.withoutItems ? ["items"] : [])];
  const omitted = refused.union(new Set(more));
  const sent = omitted.has("tools") ? { ...request, tools: [] } : request;
  const reader = style.reader({ entry: name, model: request.model });
  const call = new Attempt(context.shared, {
    ...context,
    ...{ operation, path, key, target, isGuess: shape.isGuess },
    body: style.body(request, omitted),
  });
  try {
    const answer = await call.send();
    const { afterFinish } = limits;
    const rest = readAnswer(answer, reader, { afterFinish, onRead: call.touch });
    const first = await firstOf(rest);
    target.win();
    call.begin();
    plan.learn(omitted);
    return { call, target, first, rest, dropped: droppedIn(shape), api, sent, state: reader.state };
  } catch (error) {
    // An answer that cannot be used may be charged nevertheless.
    const { usage } = reader.state;
    if (usage) context.shared.host.onEvent?.({ type: "use", ...call.topic, usage, images: 0, sent });
    const failure = call.fail(error);
    // Only the internal error before has led to a request without `stream`.
    const isSame = target.withoutStream && requiresStream(failure);
    throw isSame ? withDetails(failure, {}, { kind: "serverError", message: "The gateway only streams." }) : failure;
  }
}

/** The first non-empty batch. */
async function firstOf(batches: AsyncGenerator<readonly ContentPart[]>): Promise<readonly ContentPart[]> {
  for (;;) {
    const batch = await batches.next();
    if (batch.done) return [];
    if (batch.value.length > 0) return batch.value;
  }
}

/** Failures that mean, after the first part, that the answer broke off. So does every failure of the transport. */
const interruptions: ReadonlySet<GatewayErrorKind> = new Set(["connectionLost", "unreachable", "unreadable"]);

function afterCommit(failure: unknown, { history }: Target): unknown {
  if (!(failure instanceof GatewayError)) return failure;
  const isBroken = interruptions.has(failure.kind) || failure.cause instanceof TransportError;
  if (!isBroken) return withDetails(failure, { attempts: [...history] });
  const broken = { kind: "interrupted", message: "The answer broke off." } as const;
  return withDetails(failure, { cause: failure, sent: "maybe", attempts: [...history] }, broken);
}
