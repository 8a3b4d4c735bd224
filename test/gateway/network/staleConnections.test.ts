import assert from "node:assert/strict";
import { setImmediate as connectionsAtRest } from "node:timers/promises";
import { systemAddresses } from "../../../src/gateway/network/stalenessWatch.ts";
import { type Bench, fakeClock, leavesNothing, startBench } from "../support/bench.ts";
import { holding, right, rightText, sendJson, silence } from "../support/faults.ts";
import { each } from "../../support/each.ts";
import { until } from "../../support/until.ts";

/** Starts a bench on a machine that can sleep and change its network, after which older connections are dead. */
async function startMachine() {
  const wall = fakeClock();
  const monotonic = fakeClock(0);
  const state = { addresses: "192.0.2.1", dead: new WeakSet<object>(), seen: new Set<object>() };
  const bench = await startBench(
    (exchange) => {
      state.seen.add(exchange.socket);
      (state.dead.has(exchange.socket) ? silence : right)(exchange);
    },
    { tuning: { clock: { ...wall, elapsed: () => monotonic.now() }, addresses: () => state.addresses } },
  );
  const pass = (byWall: number, byMonotonic = byWall): void => {
    wall.advance(byWall);
    monotonic.advance(byMonotonic);
  };
  return {
    bench,
    pass,
    allDie: (): void => {
      for (const socket of state.seen) state.dead.add(socket);
    },
    move: (addresses: string): void => {
      state.addresses = addresses;
      pass(1_000);
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

async function ask(bench: Bench): Promise<number> {
  assert.equal(await bench.outcome(), "answer");
  await connectionsAtRest();
  assert.equal(bench.reports.at(-1)?.failure, undefined);
  return bench.primary.connections;
}

describe("an idle connection", () => {
  leavesNothing();

  const [home, away] = ["192.0.2.1", "198.51.100.1"];
  each<[wall: number, monotonic: number, addresses: string], number>([
    ["is replaced after sleep during which the monotonic clock stops", 600_000, 100, home, 2],
    ["is replaced after sleep during which the monotonic clock runs", 31_000, 31_000, home, 2],
    ["is replaced after a change of network", 0, 0, away, 2],
    ["is used after 20 s", 20_000, 20_000, home, 1],
    ["is used although the clock was set back", -3_600_000, 1_000, home, 1],
  ]).hold(async (wall, monotonic, addresses, connections) => {
    await using machine = await startMachine();
    await ask(machine.bench);
    if (connections > 1) machine.allDie();
    machine.move(addresses);
    machine.pass(wall, monotonic);
    assert.equal(await ask(machine.bench), connections);
    await until(() => machine.bench.primary.open === 1, "the old one is closed");
    assert.equal(await ask(machine.bench), connections);
  });

  it("is used for as long as the server keeps it", async () => {
    await using machine = await startMachine();
    const answer = { choices: [{ message: { content: rightText }, finish_reason: "stop" }] };
    machine.bench.primary.always(sendJson(200, answer, "Keep-Alive: timeout=120\r\n"));
    for (const pause of [0, 110_000, 121_000]) {
      machine.pass(pause);
      assert.equal(await ask(machine.bench), pause > 120_000 ? 2 : 1);
    }
  });

  it("does not disturb an answer that is running", async () => {
    await using machine = await startMachine();
    const { bench, move, pass } = machine;
    await ask(bench);
    const { fault, release } = holding();
    bench.primary.next(fault);
    const running = bench.outcome();
    await until(() => bench.primary.posts === 2, "the question has arrived");
    move("198.51.100.1");
    pass(600_000, 0);
    assert.equal(await ask(bench), 2);
    release();
    assert.equal(await running, "answer");
    assert.equal(bench.primary.posts, 3);
  });
});

describe("the machine's addresses", () => {
  it("are the same each time, without loopback and link-local ones", () => {
    assert.equal(systemAddresses(), systemAddresses());
    assert.doesNotMatch(systemAddresses(), /127\.0\.0\.1|::1(,|$)|fe80/);
  });
});
