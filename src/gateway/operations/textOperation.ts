import { GatewayError, type GatewayErrorKind } from "../errors.ts";
import type { AnswerPart, ChatRequest, EntryName } from "../types.ts";
import { readAnswer } from "../wire/answer.ts";
import type { AnswerReader, ContentPart } from "../wire/answerReader.ts";
import { chatBody, chatFieldsOf } from "../wire/chatCompletions.ts";
import { chatReader } from "../wire/chatReader.ts";
import type { JsonObject } from "../wire/json.ts";
import { responsesBody, responsesFieldsOf } from "../wire/responses.ts";
import { responsesReader } from "../wire/responsesReader.ts";
import { Call, type CallContext } from "./call.ts";
import type { FieldMemory, Suspicion } from "./fields.ts";
import { type Attempt, type OperationContext, outcomeOf, runOperation } from "./operation.ts";

/** How a text operation is spelled on the wire. */
interface Style {
  readonly path: string;
  body(request: ChatRequest, dropped: ReadonlySet<string>): JsonObject;
  /** Undocumented fields that the body makes use of, in the order in which they are given up. */
  fieldsOf(request: ChatRequest, dropped: ReadonlySet<string>): readonly string[];
  reader(): AnswerReader;
}

const styles: Record<"chat" | "responses", Style> = {
  chat: { path: "/chat/completions", body: chatBody, fieldsOf: chatFieldsOf, reader: chatReader },
  responses: { path: "/responses", body: responsesBody, fieldsOf: responsesFieldsOf, reader: responsesReader },
};

/** What a text operation runs on. */
export interface TextContext extends OperationContext, CallContext {
  readonly operation: "chat" | "responses";
  /** Undocumented fields that the settings switch off. */
  readonly switchedOff: ReadonlySet<string>;
  fieldMemory(entry: EntryName): FieldMemory;
}

/** An answer whose first part is there: from now on nothing is asked again. */
interface OpenAnswer {
  readonly call: Call;
  readonly attempt: Attempt;
  readonly first: readonly ContentPart[];
  readonly rest: AsyncGenerator<readonly ContentPart[]>;
  readonly dropped: readonly string[];
}

/** Asks a text model; gives its parts in batches, as they arrive. Retries and fails over until the first part of an answer; after that a failure is final. */
export async function* askModel(
  context: TextContext,
  request: ChatRequest,
): AsyncGenerator<readonly AnswerPart[], void> {
  const { call, attempt, first, rest, dropped } = await runOperation(context, (next) => open(context, request, next));
  const { name } = attempt.entry;
  let outcome: unknown = new Error("The reader left.");
  try {
    yield [{ type: "start", entry: name, requestId: call.requestId, dropped }, ...first];
    yield* rest;
    outcome = undefined;
  } catch (error) {
    outcome = afterCommit(call.fail(error));
    throw outcome;
  } finally {
    await rest.return(undefined);
    if (outcome === undefined) {
      call.succeed();
      context.breaker.record(name, request.model, "whole");
    } else {
      call.fail(outcome);
      const proof = outcome instanceof GatewayError ? outcomeOf(outcome, attempt.isFresh) : "nothing";
      context.breaker.record(name, request.model, proof);
    }
  }
}

/** One attempt up to its first part. A refused field is left out, and the attempt goes on without it. */
async function open(context: TextContext, request: ChatRequest, attempt: Attempt): Promise<OpenAnswer> {
  const style = styles[context.operation];
  const memory = context.fieldMemory(attempt.entry.name);
  const refusals: Suspicion[] = [];
  for (;;) {
    const dropped = context.switchedOff
      .union(memory.refused(request.model))
      .union(new Set(refusals.map(({ field }) => field)));
    const used = style.fieldsOf(request, dropped);
    const call = new Call(context, { ...context, attempt, path: style.path, body: style.body(request, dropped) });
    try {
      const answer = await call.send();
      const { limits } = context;
      const rest = readAnswer(answer, style.reader(), {
        afterFinish: limits.afterFinish,
        onRead: call.touch,
        clean: call.clean,
      });
      const first = await firstOf(rest);
      memory.learn(request.model, used, refusals);
      const wished = style.fieldsOf(request, new Set());
      return { call, attempt, first, rest, dropped: wished.filter((field) => dropped.has(field)) };
    } catch (error) {
      const failure = call.fail(error);
      const suspect = failure instanceof GatewayError && memory.suspect(request.model, failure, used);
      if (!suspect) throw failure;
      refusals.push(suspect);
    }
  }
}

/** The first batch with something in it. */
async function firstOf(batches: AsyncGenerator<readonly ContentPart[]>): Promise<readonly ContentPart[]> {
  for (;;) {
    const batch = await batches.next();
    if (batch.done) return [];
    if (batch.value.length > 0) return batch.value;
  }
}

/** Failures of the connection, which after the commit point mean that the answer broke off. */
const breakings: ReadonlySet<GatewayErrorKind> = new Set(["connectionLost", "timeout", "unreachable"]);

function afterCommit(failure: unknown): unknown {
  if (!(failure instanceof GatewayError) || !breakings.has(failure.kind)) return failure;
  const { entry, requestId } = failure;
  return new GatewayError("interrupted", "The answer broke off.", { cause: failure, entry, requestId, sent: "maybe" });
}
