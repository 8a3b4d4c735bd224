import { TextDecoder } from "node:util";
import type { HttpAnswer } from "../network/exchange.ts";
import { mediaType } from "./headers.ts";

/** The beginning of a body, and how to continue. */
export interface Beginning {
  /** The text so far, without byte order mark and leading whitespace. */
  readonly text: string;
  /** Decoder for the rest. */
  readonly decoder: TextDecoder;
  readonly isStream: boolean;
}

/** Fields and comments of server-sent events. */
const eventLine = /^(?:data|event|id|retry)?:/;
const names = ["data:", "event:", "id:", "retry:"];

/**
 * Reads enough of a body to detect its form: from its content type or, if that is missing or wrong, from its first
 * characters.
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

/** `undefined` while both are possible. */
function looksLikeStream(text: string, isDeclared: boolean): boolean | undefined {
  if (/^[{["<]/.test(text)) return false;
  if (isDeclared || eventLine.test(text)) return true;
  return names.some((name) => name.startsWith(text)) ? undefined : false;
}
