import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "mocha";
import { ask, type Asked, right, rightText } from "../../support/faults/answers.ts";
import { type Bench, startBench } from "../../support/faults/bench.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { resultOf } from "../../support/faults/scenario.ts";
import { until } from "../../support/gateway/until.ts";

const moduleOf = (name: string): string => JSON.stringify(import.meta.resolve(`../../support/faults/${name}.ts`));

interface Process extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts an entry in a process of its own, which answers chat completions and takes checks. */
async function startProcess(): Promise<Process> {
  const script = `
    const { FaultServer } = await import(${moduleOf("faultServer")});
    const { right } = await import(${moduleOf("answers")});
    const askedOf = ({ path }) => (path.includes("images") ? "image" : "chatStream");
    const server = await FaultServer.start((exchange) => right(askedOf(exchange.request))(exchange));
    console.log(server.port);`;
  const args = ["--input-type=module", "--eval", script];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return {
    child,
    port: Number(line.toString()),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}

/** A client whose primary is a process. */
async function withProcess(port: number): Promise<Bench> {
  const limits = { silence: 300, connect: 1_000, connectWithStandby: 300 };
  const bench = await startBench(right("chatStream"), { limits });
  bench.settings = { ...bench.settings, baseUrl: `http://localhost:${String(port)}` };
  return bench;
}

const outcomeOf = async ({ gateway }: Bench, asked: Asked = "chatStream"): Promise<string> =>
  (await resultOf(gateway, asked)).outcome;

describe("a primary whose process is stopped", () => {
  leavesNothing();

  for (const [title, asked] of [
    ["before the first question", 0],
    ["after a question, on its kept connection", 1],
  ] as const) {
    it(`${title}: the backup answers, the next question at once, and the primary once it lives`, async () => {
      await using primary = await startProcess();
      await using bench = await withProcess(primary.port);
      for (let turn = 0; turn < asked; turn += 1) assert.equal(await outcomeOf(bench), "answer");
      assert.equal(bench.backup.posts, 0);
      primary.child.kill("SIGSTOP");
      const startedAt = performance.now();
      assert.equal(await outcomeOf(bench), "answer");
      const [first, second] = [bench.backup.posts, performance.now()];
      assert.equal(await outcomeOf(bench), "answer");
      assert.deepEqual([first, bench.backup.posts], [1, 2]);
      assert.ok(performance.now() - second < (second - startedAt) / 3, "the second question waits for nothing");
      primary.child.kill("SIGCONT");
      bench.clock.advance(30_000);
      await until(
        async () => {
          const { posts } = bench.backup;
          assert.equal(await outcomeOf(bench), "answer");
          return bench.backup.posts === posts;
        },
        5_000,
        "the primary answers again",
      );
    });
  }

  it("is told for an image, which is not ordered again", async () => {
    await using primary = await startProcess();
    await using bench = await withProcess(primary.port);
    assert.equal(await outcomeOf(bench, "image"), "answer");
    primary.child.kill("SIGSTOP");
    const told = Promise.withResolvers<string>();
    const answer = ask(bench.gateway, "image", undefined, [], ({ type }) => {
      told.resolve(type);
    });
    assert.equal(await told.promise, "unresponsive");
    primary.child.kill("SIGCONT");
    assert.equal(await answer, rightText);
    assert.equal(bench.backup.connections, 0);
  });
});
