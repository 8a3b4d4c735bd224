import assert from "node:assert/strict";
import type { AnswerReader } from "../../../src/gateway/wire/answerReader.ts";
import type { ContentPart } from "../../../src/gateway/wire/answerState.ts";
import { asObject } from "../../../src/base/json.ts";

/** Declares tests of a reader. Each gets a new one for the events of an answer. */
interface ReaderTests {
  readonly read: (events: readonly object[]) => readonly ContentPart[];
  readonly itReads: (what: string, told: string, events: readonly object[]) => void;
  readonly itFails: (what: string, message: RegExp, events: readonly object[]) => void;
}

export function readerTests(newReader: () => AnswerReader): ReaderTests {
  const read = (events: readonly object[]): readonly ContentPart[] => {
    const reader = newReader();
    for (const event of events) reader.read(asObject(event) ?? {});
    return [...reader.take(), ...reader.end()];
  };
  return {
    read,
    itReads: (what, told, events) => {
      it(`is read ${what}`, () => {
        assert.equal(read(events).map(inWords).join(", "), told);
      });
    },
    itFails: (what, message, events) => {
      it(`is unreadable with ${what}`, () => {
        assert.throws(() => read(events), { kind: "unreadable", message });
      });
    },
  };
}

/** A part as text: a text, `(a thought)`, `id tool input`, `in+out=total (cached)` for tokens, or why the answer ended. */
function inWords(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "reasoning":
      return `(${part.text})`;
    case "toolCall":
      return [
        part.id,
        part.name,
        ...Object.entries(part.input).map(([name, value]) => `${name}=${String(value)}`),
      ].join(" ");
    case "usage":
      return `${part.inputTokens}+${part.outputTokens}=${part.totalTokens}${part.cachedTokens === undefined ? "" : ` (${part.cachedTokens})`}`;
    case "items":
      return JSON.stringify(part.items);
    case "finish":
      return part.reason;
  }
}
