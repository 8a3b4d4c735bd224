import assert from "node:assert/strict";
import type { Usage } from "../../src/gateway/types.ts";
import { watchedGateway } from "../../src/gateway/watchedGateway.ts";
import { startGateway } from "../support/gateway/gateway.ts";
import { clientOn, partsOf, question } from "../support/localClient.ts";

const { signal } = new AbortController();

describe("a watched gateway", () => {
  it("tells who answered and what it cost, and hands out the same parts", async () => {
    await using local = await startGateway();
    const { gateway } = clientOn(local);
    const answers: unknown[] = [];
    const usages: Usage[] = [];
    const watched = watchedGateway(gateway, {
      onAnswer: (answer) => answers.push(answer),
      onUsage: (usage) => usages.push(usage),
    });
    const parts = await partsOf(watched.chat(question("Hello?"), signal));
    const image = await watched.generateImage({ prompt: "a pier" }, signal);
    await gateway.dispose();
    assert.equal(parts.at(-1)?.type, "finish");
    assert.deepEqual(answers, [
      { entry: "primary", what: "text" },
      { entry: "primary", what: "image" },
    ]);
    assert.equal(usages.length, 2);
    assert.equal(usages[1], image.usage);
  });

  it("lets go of the answer when its reader does", async () => {
    await using local = await startGateway({ modes: { hold: "midAnswer" } });
    const { gateway } = clientOn(local);
    const watched = watchedGateway(gateway, { onAnswer: () => undefined, onUsage: () => undefined });
    for await (const part of watched.chat(question("Hello?"), signal)) if (part.type === "text") break;
    await local.until((requests) => requests.every(({ closed }) => closed !== undefined));
    await gateway.dispose();
  });
});
