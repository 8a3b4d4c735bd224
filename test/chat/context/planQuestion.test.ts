import assert from "node:assert/strict";
import fc from "fast-check";
import { planQuestion, type QuestionParts, type QuestionPlan } from "../../../src/chat/context/planQuestion.ts";
import { estimateTokens } from "../../../src/text/estimateTokens.ts";
import { taskPrompts } from "../../../src/text/tasks.ts";

describe("the plan of a question", () => {
  it("is the earlier turns, then the question with its files", () => {
    const { messages, notes } = plan({
      gathered: { ...nothing, parts: [file("a.ts", "let a;")] },
      exchanges: [earlier],
    });
    assert.deepEqual(messages, [
      { role: "user", content: "What is a buoy?" },
      { role: "assistant", content: "It floats." },
      { role: "user", content: "a.ts:\n```typescript\nlet a;\n```\n\nWhy?" },
    ]);
    assert.deepEqual(notes, []);
  });

  it("does not exist where there are neither words nor context, whatever the task", () => {
    assert.equal(planQuestion(question({ typed: { prompt: " " } })), undefined);
    assert.equal(planQuestion(question({ typed: { prompt: "", command: "fix" } })), undefined);
    assert.equal(planQuestion(question({ typed: { prompt: "" }, exchanges: [earlier] })), undefined);
  });

  it("has the task alone after the context where there are no words", () => {
    const gathered = { ...nothing, parts: [file("a.ts", "let a;")] };
    const { messages } = plan({ typed: { prompt: "", command: "fix" }, gathered });
    assert.equal(messages.at(-1)?.content, `a.ts:\n\`\`\`typescript\nlet a;\n\`\`\`\n\n${taskPrompts.fix}`);
  });

  it("leaves nothing out where the limits of the model are not known", () => {
    const gathered = { ...nothing, parts: [file("a.ts", lines(100_000))] };
    const { messages, notes } = plan({ gathered, exchanges: [earlier], budget: Infinity });
    assert.equal(messages.length, 3);
    assert.deepEqual(notes, []);
  });

  it("says which files were shortened and which left out for lack of room", () => {
    const parts = [file("a.ts", lines(50)), file("b.ts", lines(5_000)), file("c.ts", lines(5_000))];
    const { messages, notes } = plan({ gathered: { ...nothing, parts }, budget: 2_000 });
    assert.deepEqual(notes, [
      { kind: "shortened", names: ["b.ts"] },
      { kind: "leftOut", names: ["c.ts"] },
    ]);
    assert.match(messages[0]?.content ?? "", /^a\.ts:\n[^]*\nb\.ts:\n[^]*Why\?$/);
    assert.doesNotMatch(messages[0]?.content ?? "", /c\.ts/);
  });

  it("keeps the newest turns, and says that the oldest were left out", () => {
    const exchanges = ["one", "two", "three"].map((word) => ({ question: word, answer: lines(60) }));
    const { messages, notes } = plan({ exchanges, budget: estimateTokens(lines(60)) * 3 });
    assert.deepEqual(
      messages.filter(({ role }) => role === "user").map(({ content }) => content),
      ["two", "three", "Why?"],
    );
    assert.deepEqual(notes, [{ kind: "forgotten", names: [] }]);
  });

  it("keeps some room for earlier turns beside files that would fill the model", () => {
    const gathered = { ...nothing, parts: [file("a.ts", lines(5_000))] };
    const { messages } = plan({ gathered, exchanges: [earlier], budget: 4_000 });
    assert.equal(messages[1]?.content, "It floats.");
  });

  it("says once what was masked, and tells the model", () => {
    const parts = [file("a.ts", 'x = "[secret 123456 removed]"'), file("b.ts", "plain")];
    const { messages, notes } = plan({ gathered: { ...nothing, parts } });
    assert.deepEqual(notes, [{ kind: "masked", names: ["a.ts"] }]);
    assert.match(messages.at(-1)?.content ?? "", /stands for a secret value/);
    assert.doesNotMatch(plan({}).messages.at(-1)?.content ?? "", /secret/);
  });

  it("says what was not read, not sent, or sent although it may hold secrets, in this order", () => {
    const left = { unreadable: ["a.bin"], secret: [".env"], sentSecret: ["id_rsa"], outside: ["../b"] };
    const gathered = { parts: [], ...left, ignored: ["built.js"], tooMuch: ["large.txt"] };
    assert.deepEqual(plan({ gathered }).notes, [
      { kind: "unreadable", names: ["a.bin"] },
      { kind: "secret", names: [".env"] },
      { kind: "sentSecret", names: ["id_rsa"] },
      { kind: "outside", names: ["../b"] },
      { kind: "ignored", names: ["built.js"] },
      { kind: "tooMuch", names: ["large.txt"] },
    ]);
  });

  it("fits the budget with the words whole, and accounts for every file and turn", () => {
    const text = fc.integer({ min: 1, max: 400 }).map(lines);
    const sizes = fc.integer({ min: 500, max: 20_000 });
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 60 }),
        fc.array(text, { maxLength: 6 }),
        sizes,
        (texts, answers, size) => {
          const parts = texts.map((content, index) => file(`${String(index)}.ts`, content));
          const exchanges = answers.map((answer) => ({ question: "And?", answer }));
          const { messages, notes } = plan({ gathered: { ...nothing, parts }, exchanges, budget: size });
          const asked = messages.at(-1)?.content ?? "";
          const tokens = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
          assert.ok(tokens <= size, `${String(tokens)} of ${String(size)}`);
          const leftOut = notes.find(({ kind }) => kind === "leftOut")?.names ?? [];
          assert.ok(asked.endsWith("Why?"));
          for (const { name } of parts) assert.equal(asked.includes(`${name}:\n`), !leftOut.includes(name));
          const forgets = notes.some(({ kind }) => kind === "forgotten");
          assert.equal(messages.length < exchanges.length * 2 + 1, forgets);
        },
      ),
    );
  });
});

const nothing: QuestionParts["gathered"] = {
  parts: [],
  unreadable: [],
  secret: [],
  sentSecret: [],
  outside: [],
  ignored: [],
  tooMuch: [],
};
const earlier = { question: "What is a buoy?", answer: "It floats." };

function question(parts: Partial<QuestionParts>): QuestionParts {
  const usual = { typed: { prompt: "Why?" }, gathered: nothing, exchanges: [], language: "en" };
  return { ...usual, budget: 100_000, ...parts };
}

function plan(parts: Partial<QuestionParts>): QuestionPlan {
  const planned = planQuestion(question(parts));
  assert.ok(planned);
  return planned;
}

function file(name: string, text: string): QuestionParts["gathered"]["parts"][number] {
  return { name, language: "typescript", text };
}

function lines(count: number): string {
  return "const answer = 42;\n".repeat(count);
}
