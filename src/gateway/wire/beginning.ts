import { TextDecoder } from "node:util";
import type { HttpAnswer } from "../network/exchange.ts";
import { mediaType } from "./headers.ts";

/** The beginning of a body, and what goes on with it. */
export interface Beginning {
  /** What has come so far, without a BOM and the blanks before the first character. */
  readonly text: string;
  /** Decodes the rest. */
  readonly decoder: TextDecoder;
  /** Whether the body is a stream of events. */
  readonly isStream: boolean;
}

/** Fields of server-sent events, and comments. */
const eventLine = /^(?:data|event|id|retry)?:/;
const names = ["data:", "event:", "id:", "retry:"];

/**
 * Reads as much of an answer as it takes to know what it is: by its declared type, and where that is missing or wrong
 * by how it begins.
 */
export async function readBeginning({ headers, body }: HttpAnswer, onRead: () => void): Promise<Beginning> {
  const isDeclared = mediaType(headers) === "text/event-stream";
  const decoder = new TextDecoder();
  let text = "";
  let isOver = false;
  for (;;) {
    const isStream = text === "" ? undefined : looksLikeStream(text, isDeclared);
    if (isStream !== undefined) return { text, decoder, isStream };
    if (isOver) return { text, decoder, isStream: isDeclared };
    const next = await body.next();
    onRead();
    isOver = next.done === true;
    text = (text + (next.done ? decoder.decode() : decoder.decode(next.value, { stream: true }))).trimStart();
  }
}

/** `undefined` as long as either is possible. */
function looksLikeStream(text: string, isDeclared: boolean): boolean | undefined {
  if (/^[{["<]/.test(text)) return false;
  if (isDeclared || eventLine.test(text)) return true;
  return names.some((name) => name.startsWith(text)) ? undefined : false;
}
