import type { Call, Conversation } from "./conversation.ts";
import type { Handler, OperationContext } from "./entry.ts";
import type { Exchange } from "./exchange.ts";
import type { Reply } from "./reply.ts";
import type { Fault, Modes } from "./types.ts";

/** The content of an answer, the same for both APIs. */
export interface AnswerContent {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly text: string;
  readonly calls: readonly Call[];
  readonly finish: Modes["finish"];
  readonly usage: { readonly input: number; readonly output: number } | undefined;
}

type Read = (body: OperationContext["body"]) => Conversation;
type Shape = (content: AnswerContent, conversation: Conversation, body: OperationContext["body"]) => Answer;

/**
 * Creates the handler of a text operation: reads the question, generates a reply, and sends it as JSON or as a stream.
 */
export function textHandler(read: Read, shape: Shape, reply: (conversation: Conversation) => Reply): Handler {
  return async (context) => {
    const { exchange, modes, body, id } = context;
    const conversation = read(body);
    exchange.record.processed = true;
    const answer = shape(answerContent(reply(conversation), conversation, modes, id), conversation, body);
    if (body.stream === true) await sendStream(context, answer.frames);
    else await sendJson(context, answer.json);
  };
}

/** Applies the modes of the entry to a reply. */
function answerContent(reply: Reply, conversation: Conversation, modes: Modes, id: string): AnswerContent {
  const text = modes.finish === "stop" ? reply.text : reply.text.slice(0, Math.ceil(reply.text.length / 2));
  const output = [text, ...reply.calls.map(({ input }) => input)].join("");
  const input = conversation.turns.map((turn) => turn.text).join("");
  return {
    id,
    created: Math.floor(Date.now() / 1000),
    text,
    calls: reply.calls,
    finish: modes.finish,
    usage: modes.usage ? { input: tokensIn(input), output: tokensIn(output) } : undefined,
  };
}

/** Sends a JSON answer, or half of it if the fault cuts it. */
export async function sendJson({ exchange, fault, midAnswer }: OperationContext, value: unknown): Promise<void> {
  const text = JSON.stringify(value);
  const half = text.slice(0, Math.floor(text.length / 2));
  const type = { "content-type": "application/json" };
  exchange.begin(200, { ...type, "content-length": Buffer.byteLength(text) });
  await midAnswer();
  await exchange.write(half);
  if (await isBroken(exchange, fault)) return;
  await exchange.write(text.slice(half.length));
  exchange.end();
}

async function sendStream(context: OperationContext, frames: Answer["frames"]): Promise<void> {
  const { exchange, modes, fault, midAnswer } = context;
  const pieces = frames.filter(({ kind }) => kind === "content").length;
  const breakAt = fault?.broken === undefined ? Infinity : (fault.after ?? 0);
  const middle = Math.floor(pieces / 2);
  let sent = 0;
  exchange.begin(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  for (const { kind, text } of frames) {
    if (kind === "content" && sent === middle) await midAnswer();
    if (sent >= breakAt || (kind === "marker" && fault?.broken !== undefined)) break;
    if (kind === "content") {
      sent += 1;
      await exchange.pause(modes.chunkDelay);
    }
    await exchange.write(text);
  }
  if (await isBroken(exchange, fault)) return;
  exchange.end();
}

/** Cuts the connection if the fault is `cut`, after a pause in which the written data is sent. */
async function isBroken(exchange: Exchange, fault: Fault | undefined): Promise<boolean> {
  if (fault?.broken !== "cut") return false;
  await exchange.pause(20);
  exchange.break();
  return true;
}

/** One event of a stream on the wire. Without its `marker` frames, a stream is incomplete. */
export interface Frame {
  readonly kind: "content" | "marker" | "other";
  readonly text: string;
}

/** A whole answer in both forms. */
export interface Answer {
  readonly json: unknown;
  readonly frames: readonly Frame[];
}

/** Splits a text into words with their preceding spaces. */
export function words(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** Splits a text into pieces of about one token. */
export function tokens(text: string): readonly string[] {
  return text.match(/[^]{1,4}/gu) ?? [];
}

/** Estimates tokens by a rule of thumb. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}
