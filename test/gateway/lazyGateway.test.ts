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
    await gateway.downloadImage("c", signal);
    assert.deepEqual(calls.toSorted(), ["ask", "ask", "downloadImage", "load"]);
  });

  it("loads the client to connect before a question, and tells nobody when that fails", async () => {
    const { gateway, calls } = setUp();
    gateway.preconnect("gpt-5.4");
    await new Promise(setImmediate);
    assert.deepEqual(calls, ["load", "preconnect gpt-5.4"]);
    lazyGateway(() => Promise.reject(new Error("The file is gone."))).preconnect();
    await new Promise(setImmediate);
  });

  it("lets an answer end early", async () => {
    const { gateway, calls } = setUp();
    for await (const part of gateway.ask(question("a"), signal)) {
      assert.deepEqual(part, finish);
      break;
    }
    assert.deepEqual(calls, ["load", "ask", "left"]);
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

  it("has nothing to close while its client cannot be loaded", async () => {
    const gateway = lazyGateway(() => Promise.reject(new Error("The file is gone.")));
    const answer = assert.rejects(partsOf(gateway.ask(question("a"), signal)), /gone/);
    await gateway.dispose();
    await answer;
  });

  it("tries again when the client could not be loaded", async () => {
    let loads = 0;
    const { client } = setUp();
    const gateway = lazyGateway(() => {
      loads += 1;
      return loads === 1 ? Promise.reject(new Error("The file is gone.")) : Promise.resolve(client);
    });
    await assert.rejects(partsOf(gateway.ask(question("a"), signal)), /gone/);
    assert.deepEqual(await partsOf(gateway.ask(question("a"), signal)), [finish]);
  });
});

const finish: AnswerPart = { type: "finish", reason: "stop" };

function setUp() {
  const calls: string[] = [];
  async function* answer(name: string): AsyncGenerator<AnswerPart> {
    calls.push(name);
    let isWhole = false;
    try {
      yield await Promise.resolve(finish);
      isWhole = true;
    } finally {
      if (!isWhole) calls.push("left");
    }
  }
  const client = {
    ask: () => answer("ask"),
    downloadImage: () => {
      calls.push("downloadImage");
      return Promise.resolve({ bytes: new Uint8Array(), type: "png" as const });
    },
    generateImage: () => Promise.reject(new Error("Not here.")),
    preconnect: (model: string) => {
      calls.push(`preconnect ${model}`);
    },
    dispose: () => {
      calls.push("dispose");
      return Promise.resolve();
    },
  } as unknown as Gateway;
  const gateway = lazyGateway(() => {
    calls.push("load");
    return Promise.resolve(client);
  });
  return { gateway, calls, client };
}
