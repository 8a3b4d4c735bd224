import assert from "node:assert/strict";
import { lazyGateway } from "../../src/gateway/lazyGateway.ts";
import type { AnswerPart, Gateway } from "../../src/gateway/types.ts";
import { partsOf, question } from "../support/localClient.ts";

describe("the lazy gateway", () => {
  const signal = new AbortController().signal;

  it("loads the client once, at the first operation", async () => {
    const { gateway, calls } = setUp();
    const answers = [gateway.ask(question("a"), signal), gateway.ask(question("b"), signal)];
    assert.deepEqual(calls, []);
    assert.deepEqual((await Promise.all(answers.map((answer) => partsOf(answer)))).flat(), [finish, finish]);
    gateway.preconnect("gpt-5.4");
    await new Promise(setImmediate);
    await gateway.dispose();
    assert.deepEqual(calls, ["load", "ask", "ask", "preconnect gpt-5.4", "dispose"]);
  });

  it("lets an answer end early", async () => {
    const { gateway, calls } = setUp();
    for await (const part of gateway.ask(question("a"), signal)) {
      assert.deepEqual(part, finish);
      break;
    }
    assert.deepEqual(calls, ["load", "ask", "left"]);
  });

  it("closes nothing if its client was not needed, or cannot be loaded", async () => {
    const unused = setUp();
    await unused.gateway.dispose();
    assert.deepEqual(unused.calls, []);
    const gateway = broken();
    gateway.preconnect();
    const answer = assert.rejects(partsOf(gateway.ask(question("a"), signal)), /gone/);
    await gateway.dispose();
    await answer;
  });

  it("tries again when the client could not be loaded", async () => {
    const gateway = broken(setUp().client);
    await assert.rejects(partsOf(gateway.ask(question("a"), signal)), /gone/);
    assert.deepEqual(await partsOf(gateway.ask(question("a"), signal)), [finish]);
  });
});

/** A gateway whose client cannot be loaded the first time, or never. */
function broken(later?: Gateway): Gateway {
  let loads = 0;
  return lazyGateway(() => {
    loads += 1;
    return later && loads > 1 ? Promise.resolve(later) : Promise.reject(new Error("The file is gone."));
  });
}

const finish: AnswerPart = { type: "finish", reason: "stop" };

function setUp() {
  const calls: string[] = [];
  const client = {
    async *ask(): AsyncGenerator<AnswerPart> {
      calls.push("ask");
      let isWhole = false;
      try {
        yield await Promise.resolve(finish);
        isWhole = true;
      } finally {
        if (!isWhole) calls.push("left");
      }
    },
    preconnect: (model: string) => void calls.push(`preconnect ${model}`),
    dispose: () => Promise.resolve(void calls.push("dispose")),
  } as unknown as Gateway;
  const gateway = lazyGateway(() => {
    calls.push("load");
    return Promise.resolve(client);
  });
  return { gateway, calls, client };
}
