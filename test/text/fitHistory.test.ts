import assert from "node:assert/strict";
import { fitHistory } from "../../src/text/fitHistory.ts";
import { estimateTokens } from "../../src/text/estimateTokens.ts";

describe("the earlier turns of a question", () => {
  const exchanges = ["one", "two", "three"].map((word) => ({ question: `${word}?`, answer: `${word} `.repeat(50) }));

  it("all go along where there is room, in their order", () => {
    const messages = fitHistory(exchanges, 10_000);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "user", "assistant", "user", "assistant"],
    );
    assert.deepEqual(
      messages.map(({ content }) => content.split(/\W/)[0]),
      ["one", "one", "two", "two", "three", "three"],
    );
  });

  it("are forgotten from the beginning, question and answer together", () => {
    const [, , last] = exchanges;
    const room = estimateTokens(last?.question ?? "") + estimateTokens(last?.answer ?? "") + 10;
    assert.deepEqual(
      fitHistory(exchanges, room).map(({ content }) => content.split(/\W/)[0]),
      ["three", "three"],
    );
    assert.deepEqual(fitHistory(exchanges, 10), []);
  });
});
