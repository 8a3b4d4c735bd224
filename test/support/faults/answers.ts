import type { AnswerPart, ChatRequest, Gateway, WaitingEvent } from "../../../src/gateway/types.ts";
import { partsOf, textIn } from "../localClient.ts";
import type { Fault } from "./faultServer.ts";

/** The operations answered by an entry, each text API in both forms. */
export type Asked = "chatJson" | "chatStream" | "responsesJson" | "responsesStream" | "image";

export const streams = ["chatStream", "responsesStream"] as const;
export const wholes = ["chatJson", "responsesJson"] as const;
export const texts = [...streams, ...wholes] as const;
export const allAsked = [...texts, "image"] as const;

/** A correct answer, in the pieces in which a server may send it. */
export interface RightAnswer {
  readonly type: string;
  readonly pieces: readonly string[];
}

/** The text of every correct answer. */
export const rightText = "Grüße, 世界 🎉!";

/** The link in every correct image answer. */
export const rightLink = "http://images.test/one.png";

const json = (value: unknown): RightAnswer => {
  const text = JSON.stringify(value);
  return { type: "application/json", pieces: [text.slice(0, 25), text.slice(25)] };
};

/** Server-sent events, one piece each. */
export const events = (values: readonly unknown[]): RightAnswer => ({
  type: "text/event-stream",
  pieces: values.map((value) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`),
});

/** A piece of a chat stream. */
export const delta = (content: string, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
});

const response = {
  id: "resp-1",
  status: "completed",
  output: [{ type: "message", content: [{ type: "output_text", text: rightText }] }],
};
const words = rightText.split(/(?<= )/);

/** Correct answers to every operation. */
export const rightAnswers: Readonly<Record<Asked, RightAnswer>> = {
  chatJson: json({ choices: [{ message: { content: rightText }, finish_reason: "stop" }] }),
  chatStream: events([...words.map((word) => delta(word)), delta("", "stop"), "[DONE]"]),
  responsesJson: json(response),
  responsesStream: events([
    ...words.map((word) => ({ type: "response.output_text.delta", delta: word })),
    { type: "response.completed", response },
  ]),
  image: json({ created: 1, data: [{ url: rightLink }], usage: {} }),
};

/** Sends a complete answer with its length and keeps the connection open. */
export function send(status: number | string, type: string, body: string, headers = ""): Fault {
  return ({ socket, done }) => {
    const length = `content-type: ${type}\r\ncontent-length: ${String(Buffer.byteLength(body))}`;
    socket.write(`HTTP/1.1 ${String(status)} X\r\n${headers}${length}\r\n\r\n${body}`);
    done();
  };
}

/** Sends a correct answer. */
export function right(asked: Asked): Fault {
  const { type, pieces } = rightAnswers[asked];
  return send(200, type, pieces.join(""));
}

/** A question without tools to one of the text models. */
export const question: ChatRequest = { model: "gpt-5.4", messages: [{ role: "user", content: "Hi" }] };

/** Makes a request of one kind. `parts` grows as the answer arrives. */
export async function ask(
  gateway: Gateway,
  asked: Asked,
  signal: AbortSignal = new AbortController().signal,
  parts: AnswerPart[] = [],
  observe?: (event: WaitingEvent) => void,
): Promise<string> {
  if (asked === "image") {
    const { images } = await gateway.generateImage({ prompt: "A fox" }, signal, observe);
    return images.map((image) => ("url" in image && image.url === rightLink ? rightText : "")).join();
  }
  const api = asked.startsWith("chat") ? "chatCompletions" : "responses";
  return textIn(await partsOf(gateway.ask({ ...question, api }, signal, observe), parts));
}
