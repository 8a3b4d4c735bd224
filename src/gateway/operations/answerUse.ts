import type { AnswerPart, ChatRequest, EntryName, Usage, UseReport } from "../types.ts";

/** Maximum length of the beginning that is kept, in characters. */
const longestBeginning = 16_000;

/** Follows an answer, to report what it used when it is over. */
export class AnswerUse {
  /** The question, without tools if these were left out. */
  sent: ChatRequest;
  #entry: EntryName | undefined;
  #usage: Usage | undefined;
  #beginning = "";
  #length = 0;

  constructor(request: ChatRequest) {
    this.sent = request;
  }

  note(part: AnswerPart): void {
    if (part.type === "text" || part.type === "reasoning") this.#add(part.text);
    else if (part.type === "toolCall") this.#add(`${part.name} ${JSON.stringify(part.input)}`);
    else if (part.type === "usage") this.#usage = part;
    else if (part.type === "start") {
      this.#entry = part.entry;
      if (part.dropped.includes("tools")) this.sent = { ...this.sent, tools: [] };
    }
  }

  /** The report; `undefined` if no answer has begun. */
  report(): UseReport | undefined {
    if (this.#entry === undefined) return undefined;
    const { model, feature } = this.sent;
    const received = { beginning: this.#beginning, length: this.#length };
    return { entry: this.#entry, model, feature, usage: this.#usage, images: 0, sent: this.sent, received };
  }

  #add(text: string): void {
    this.#length += text.length;
    if (this.#beginning.length < longestBeginning) this.#beginning += text.slice(0, longestBeginning);
  }
}
