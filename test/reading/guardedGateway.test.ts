import assert from "node:assert/strict";
import type { AnswerPart, ChatMessage, ChatRequest } from "../../src/gateway/types.ts";
import { guarded, gatewayThat, placeholdersIn } from "../support/guarded.ts";
import { partsOf, textIn } from "../support/localClient.ts";
import { randomTexts } from "../support/randomTexts.ts";

const { base62 } = randomTexts(1);
const secret = base62(32);
const file = `HOST=localhost\nAPI_TOKEN=${secret}\n`;
const { signal } = new AbortController();

/** A guarded gateway that knows the secrets of a file, and what it was asked. */
async function knowing(answer: (request: ChatRequest) => string | readonly AnswerPart[] = () => "Yes.", text = file) {
  const requests: ChatRequest[] = [];
  const { gateway, secrets } = guarded(
    gatewayThat((request) => {
      requests.push(request);
      return answer(request);
    }),
  );
  await secrets.learn(text);
  const ask = (messages: readonly ChatMessage[], conversation?: string): Promise<readonly AnswerPart[]> =>
    partsOf(gateway.ask({ model: "m", messages, conversation }, signal));
  return { gateway, secrets, requests, ask };
}

const user = (content: string): ChatMessage => ({ role: "user", content });

describe("the only way to the gateway", () => {
  it("lets no secret of a file through, in whatever message, and explains its placeholders once", async () => {
    const { requests, ask } = await knowing();
    await ask([
      { role: "system", content: `Be brief. ${secret}` },
      user(`Why?\n${file}`),
      { role: "assistant", content: "", toolCalls: [{ id: "1", name: "read", input: { text: [`a ${secret}`] } }] },
      { role: "tool", toolCallId: "1", content: file },
    ]);
    const sent = JSON.stringify(requests);
    assert.ok(!sent.includes(secret));
    assert.equal(sent.split("stands for a secret value").length, 2);
    const numbers = placeholdersIn(sent).filter((mask) => mask !== "[secret 123456 removed]");
    assert.deepEqual([numbers.length, new Set(numbers).size], [4, 4]);
  });

  it("lets none through in what describes a tool", async () => {
    const { gateway, requests } = await knowing();
    const inputSchema = { type: "object", properties: { url: { type: "string", default: `https://x?t=${secret}` } } };
    const tools = [
      { name: "query", description: `Asks the database.\n${file}`, inputSchema },
      { name: "now", description: "Tells the time." },
    ];
    await partsOf(gateway.ask({ model: "m", messages: [user("Why?")], tools }, signal));
    assert.ok(!JSON.stringify(requests).includes(secret));
    assert.equal(placeholdersIn(JSON.stringify(requests[0]?.tools?.[0])).length, 2);
    assert.deepEqual(requests[0]?.tools?.[1], { ...tools[1], inputSchema: undefined });
  });

  it("lets none through in the prompt of an image", async () => {
    const { gateway } = await knowing();
    const order = gateway.generateImage({ prompt: `A harbor, ${secret}` }, signal);
    await assert.rejects(order, /^Error: A harbor, \[secret/);
  });

  it("sends answers back as they are, so that they say nothing about a guess", async () => {
    const { requests, ask } = await knowing((request) =>
      request.messages.length === 1 ? `Is it\n${secret}?` : "Yes.",
    );
    const first = textIn(await ask([user("Guess.")], "a"));
    await ask([user("Guess."), { role: "assistant", content: first }, user(`You wrote:\n${secret}?`)], "a");
    const contents = requests[1]?.messages.map(({ content }) => content);
    assert.deepEqual(contents, ["Guess.", first, `You wrote:\n${secret}?`]);
  });

  it("begins alike where a conversation goes on", async () => {
    const { requests, ask } = await knowing();
    await ask([user(file)], "a");
    await ask([user(file), { role: "assistant", content: "Yes." }, user(file)], "a");
    await ask([user(file)], "b");
    const [one, two, other] = requests.map(({ messages }) => messages.map(({ content }) => content));
    assert.equal(one?.[0], two?.[0]);
    assert.notEqual(placeholdersIn(two?.[0] ?? "").at(-1), placeholdersIn(two?.[2] ?? "").at(-1));
    assert.notEqual(one?.[0], other?.[0]);
  });

  it("knows no call of an earlier window, and searches what it wrote", async () => {
    const { requests, ask } = await knowing(undefined, "");
    const toolCalls = [{ id: "1", name: "create_file", input: { content: file } }];
    await ask([{ role: "assistant", content: "", toolCalls }]);
    assert.match(JSON.stringify(requests), /API_TOKEN=\[secret \d{6} removed\]/);
  });

  it("puts values back where VS Code's tools write them, and nowhere else", async () => {
    const { requests, ask } = await knowing(({ messages }) => {
      const [placeholder = ""] = placeholdersIn(messages.at(-1)?.content ?? "").slice(-1);
      const input = { input: `*** Update File: .env\n API_TOKEN=${placeholder}\n+PORT=80` };
      return [
        { type: "toolCall", id: "1", name: "apply_patch", input },
        { type: "toolCall", id: "2", name: "run_in_terminal", input: { command: `echo ${placeholder}` } },
      ];
    });
    const calls = (await ask([user(file)], "a")).flatMap((part) => (part.type === "toolCall" ? [part] : []));
    assert.deepEqual(calls[0]?.input, { input: `*** Update File: .env\n API_TOKEN=${secret}\n+PORT=80` });
    assert.match(String(calls[1]?.input.command), /^echo \[secret \d{6} removed\]$/);
    await ask([user(file), { role: "assistant", content: "", toolCalls: calls }, user("Go on.")], "a");
    assert.ok(!JSON.stringify(requests).includes(secret));
    // As the model wrote it, not masked anew.
    const [, sent] = requests[1]?.messages ?? [];
    const written = placeholdersIn(requests[0]?.messages[0]?.content ?? "").at(-1);
    assert.ok(sent?.role === "assistant" && JSON.stringify(sent.toolCalls).includes(`API_TOKEN=${written}`));
  });

  it("does not mix up calls of several answers that have the same id", async () => {
    const { requests, ask } = await knowing(({ messages }) => {
      const [placeholder = ""] = placeholdersIn(messages[0]?.content ?? "").slice(-1);
      const write = { name: "create_file", input: { content: `T=${placeholder}` } };
      const call = messages.length === 1 ? write : { name: "read_file", input: { path: "a" } };
      return [{ type: "toolCall", id: "call_0", ...call }];
    });
    const messages: ChatMessage[] = [user(file)];
    for (let turn = 0; turn < 3; turn += 1) {
      const toolCalls = (await ask(messages, "a")).filter((part) => part.type === "toolCall");
      const result = { role: "tool", toolCallId: "call_0", content: "" } as const;
      messages.push({ role: "assistant", content: "", toolCalls }, result);
    }
    const sent = requests[2]?.messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
    const written = placeholdersIn(requests[0]?.messages[0]?.content ?? "").at(-1);
    const inputs = sent?.map((call) => call?.input);
    assert.deepEqual(inputs, [{ content: `T=${written}` }, { path: "a" }]);
  });
});
