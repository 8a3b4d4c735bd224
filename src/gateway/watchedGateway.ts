import type { AnswerPart, EntryName, Gateway, Usage } from "./types.ts";

/** What is told about every answer, whichever feature asked. */
export interface GatewayWatch {
  /** An entry has begun to answer a question, or has delivered an image. */
  onAnswer(answer: { readonly entry: EntryName; readonly what: "text" | "image" }): void;
  /** The gateway has counted the tokens of an answer. */
  onUsage(usage: Usage): void;
}

/** The same gateway, watched: features need not report what their answers cost and where they came from. */
export function watchedGateway(gateway: Gateway, watch: GatewayWatch): Gateway {
  const see = (part: AnswerPart): void => {
    if (part.type === "start") watch.onAnswer({ entry: part.entry, what: "text" });
    if (part.type === "usage") watch.onUsage(part);
  };
  return {
    ...gateway,
    chat: (...args) => tapped(gateway.chat(...args), see),
    respond: (...args) => tapped(gateway.respond(...args), see),
    generateImage: async (...args) => {
      const answer = await gateway.generateImage(...args);
      watch.onAnswer({ entry: answer.entry, what: "image" });
      if (answer.usage) watch.onUsage(answer.usage);
      return answer;
    },
  };
}

/** The same items, each seen as it passes. */
async function* tapped<T>(items: AsyncIterable<T>, see: (item: T) => void): AsyncGenerator<T, undefined> {
  for await (const item of items) {
    see(item);
    yield item;
  }
}
