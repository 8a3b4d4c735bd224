import assert from "node:assert/strict";
import { setImmediate as connectionsAtRest } from "node:timers/promises";
import { systemAddresses } from "../../../src/gateway/network/connection.ts";
import { rightAnswers, right } from "../../support/faults/answers.ts";
import { type Bench, type BenchOptions, startBench } from "../../support/faults/bench.ts";
import { fakeClock } from "../../support/faults/fakeClock.ts";
import type { Exchange } from "../../support/faults/faultServer.ts";
import { silence } from "../../support/faults/faults.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { resultOf } from "../../support/faults/scenario.ts";
import { until } from "../../support/gateway/until.ts";

/** Starts a bench whose machine can sleep and change networks. Connections from before then are dead. */
async function startMachine(more: BenchOptions = {}) {
  const wall = fakeClock();
  const monotonic = fakeClock(0);
  const state = { addresses: "192.0.2.1", dead: new WeakSet<object>(), seen: new Set<object>() };
  const bench = await startBench(right("chatStream"), {
    ...more,
    tuning: {
      clock: {
        now: () => wall.now(),
        elapsed: () => monotonic.now(),
        sleep: (delay, signal) => wall.sleep(delay, signal),
      },
      addresses: () => state.addresses,
    },
  });
  bench.primary.always((exchange) => {
    state.seen.add(exchange.socket);
    if (state.dead.has(exchange.socket)) silence(exchange);
    else right("chatStream")(exchange);
  });
  const allDie = (): void => {
    for (const socket of state.seen) state.dead.add(socket);
  };
  return {
    bench,
    pass: (byWall: number, byMonotonic = byWall): void => {
      wall.advance(byWall);
      monotonic.advance(byMonotonic);
    },
    allDie,
    move: (addresses: string): void => {
      state.addresses = addresses;
      wall.advance(1_000);
      monotonic.advance(1_000);
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

async function ask(bench: Bench): Promise<number> {
  assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
  await connectionsAtRest();
  assert.equal(bench.reports.at(-1)?.failure, undefined);
  return bench.primary.connections;
}

describe("a stale connection", () => {
  leavesNothing();

  it("is used while nothing speaks against it", async () => {
    await using machine = await startMachine();
    for (let turn = 0; turn < 5; turn += 1) {
      assert.equal(await ask(machine.bench), 1);
      machine.pass(20_000);
    }
  });

  it("is given up after sleep in which the monotonic clock stands still", async () => {
    await using machine = await startMachine();
    await ask(machine.bench);
    machine.allDie();
    machine.pass(600_000, 100);
    assert.equal(await ask(machine.bench), 2);
    await until(() => machine.bench.primary.open === 1, 2_000, "the old one is closed");
    assert.equal(await ask(machine.bench), 2);
  });

  it("is given up after sleep in which the monotonic clock goes on", async () => {
    await using machine = await startMachine();
    await ask(machine.bench);
    machine.allDie();
    machine.pass(31_000);
    assert.equal(await ask(machine.bench), 2);
  });

  it("is used for as long as the server keeps it", async () => {
    await using machine = await startMachine();
    const [text] = [rightAnswers.chatJson.pieces.join("")];
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
    machine.bench.primary.always(({ socket, done }: Exchange) => {
      socket.write(`${head}Keep-Alive: timeout=120\r\n\r\n${text}`);
      done();
    });
    assert.equal(await ask(machine.bench), 1);
    machine.pass(110_000);
    assert.equal(await ask(machine.bench), 1);
    machine.pass(121_000);
    assert.equal(await ask(machine.bench), 2);
  });

  it("is used although the clock was set back", async () => {
    await using machine = await startMachine();
    await ask(machine.bench);
    machine.pass(-3_600_000, 1_000);
    assert.equal(await ask(machine.bench), 1);
  });

  it("is given up after a change of network", async () => {
    await using machine = await startMachine();
    await ask(machine.bench);
    machine.allDie();
    machine.move("198.51.100.1");
    assert.equal(await ask(machine.bench), 2);
    assert.equal(await ask(machine.bench), 2);
  });

  it("is given up too if it was opened before the question, and may be opened anew at once", async () => {
    await using machine = await startMachine();
    const { bench, move } = machine;
    bench.gateway.preconnect();
    await until(() => bench.preconnects.length === 1, 2_000, "it is open");
    move("198.51.100.1");
    assert.equal(await ask(bench), 2);
    move("203.0.113.1");
    bench.gateway.preconnect();
    await until(() => bench.preconnects.length === 2, 2_000, "it is open anew");
    assert.equal(await ask(bench), 3);
  });

  it("does not disturb an answer that is running", async () => {
    await using machine = await startMachine();
    const { bench, move, pass } = machine;
    await ask(bench);
    let goOn: (() => void) | undefined;
    bench.primary.next((exchange) => {
      goOn = () => {
        right("chatStream")(exchange);
      };
    });
    const running = resultOf(bench.gateway, "chatStream");
    await until(() => goOn !== undefined, 2_000, "the question has arrived");
    move("198.51.100.1");
    pass(600_000, 0);
    assert.equal(await ask(bench), 2);
    goOn?.();
    assert.equal((await running).outcome, "answer");
    assert.equal(bench.primary.posts, 3);
  });

  it("is not disturbed by checks that fail beside a long answer", async () => {
    await using machine = await startMachine({ limits: { silence: 20, connectWithStandby: 20 }, hasBackup: false });
    const { bench } = machine;
    bench.primary.isAlive = false;
    bench.primary.next((exchange) => {
      void until(() => bench.primary.probes > 3, 2_000, "checks have failed").then(() => {
        right("chatStream")(exchange);
      });
    });
    await ask(bench);
    await until(() => bench.primary.open === 1, 2_000, "those of the checks are closed");
    const before = bench.primary.connections;
    assert.equal(await ask(bench), before);
  });
});

describe("the machine's addresses", () => {
  it("are the same each time, without loopback and link-local ones", () => {
    assert.equal(systemAddresses(), systemAddresses());
    assert.doesNotMatch(systemAddresses(), /127\.0\.0\.1|::1(,|$)|fe80/);
  });
});
