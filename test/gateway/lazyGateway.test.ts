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
    assert.deepEqual(calls.toSorted(), ["ask", "ask", "end", "end", "load"]);
  });

  it("loads the client to preconnect", async () => {
    const { gateway, calls } = setUp();
    gateway.preconnect("gpt-5.4");
    await new Promise(setImmediate);
    assert.deepEqual(calls, ["load", "preconnect gpt-5.4"]);
  });

  it("lets an answer end early", async () => {
    const { gateway, calls } = setUp();
    for await (const part of gateway.ask(question("a"), signal)) {
      assert.deepEqual(part, finish);
      break;
    }
    assert.deepEqual(calls, ["load", "ask", "end"]);
  });

  it("closes what was loaded, and nothing else", async () => {
    const unused = setUp();
    await unused.gateway.dispose();
    assert.deepEqual(unused.calls, []);
    const { gateway, calls } = setUp();
    await partsOf(gateway.ask(question("a"), signal));
    await gateway.dispose();
    assert.equal(calls.at(-1), "dispose");
  });

  it("tries again when the client could not be loaded", async () => {
    const { client } = setUp();
    let loads = 0;
    const gateway = lazyGateway(() => {
      loads += 1;
      return loads > 1 ? Promise.resolve(client) : Promise.reject(new Error("The file is gone."));
    });
    await assert.rejects(partsOf(gateway.ask(question("a"), signal)), /gone/);
    assert.deepEqual(await partsOf(gateway.ask(question("a"), signal)), [finish]);
  });

  it("closes nothing if its client cannot be loaded", async () => {
    const gateway = lazyGateway(() => Promise.reject(new Error("The file is gone.")));
    gateway.preconnect();
    const answer = assert.rejects(partsOf(gateway.ask(question("a"), signal)), /gone/);
    await gateway.dispose();
    await answer;
  });
});

const finish: AnswerPart = { type: "finish", reason: "stop" };

function setUp() {
  const calls: string[] = [];
  const client = {
    async *ask(): AsyncGenerator<AnswerPart> {
      calls.push("ask");
      try {
        yield await Promise.resolve(finish);
      } finally {
        calls.push("end");
      }
    },
    preconnect: (model: string) => calls.push(`preconnect ${model}`),
    dispose: async () => Promise.resolve(calls.push("dispose")),
  } as unknown as Gateway;
  const gateway = lazyGateway(() => {
    calls.push("load");
    return Promise.resolve(client);
  });
  return { gateway, calls, client };
}
