import assert from "node:assert/strict";
import { appendFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { UserError, type UserErrorKind } from "../../src/failures/userError.ts";
import { type Command, KeyCommand } from "../../src/settings/keyCommand.ts";
import { printKey } from "../../src/setup/printKey.ts";

const minute = 60_000;

/** A command that runs this code. */
function node(code: string): Command {
  return [process.execPath, "-e", code];
}

/** A key command that runs real programs. */
function keyOf(command: Command): Promise<string> {
  return new KeyCommand({ command: () => command, lifetime: () => 5 * minute, now: Date.now, print: printKey }).key();
}

async function failureOf(command: Command): Promise<UserError> {
  try {
    await keyOf(command);
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  return assert.fail("It has a key.");
}

/** A JSON Web Token that expires at this time, in milliseconds since the epoch. */
function token(expiresAt: number, id = ""): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ exp: expiresAt / 1000, id })}.x`;
}

describe("a key command", () => {
  it("has the key that the program prints, without what surrounds it", async () => {
    assert.equal(await keyOf(node("console.log(' sk-one\\n')")), "sk-one");
    assert.equal(await keyOf(node("process.stdout.write('sk-two'); console.error('renewed')")), "sk-two");
  });

  it("gets its arguments as they are, without a shell", async () => {
    const print = "process.stdout.write(process.argv.slice(1).join('|'))";
    assert.equal(await keyOf([process.execPath, "-e", print, "$HOME", "`id`", ";x", "a&b"]), "$HOME|`id`|;x|a&b");
  });

  it("has the user's environment, and no input to wait for", async () => {
    process.env.KEY_COMMAND_TEST = "sk-environment";
    try {
      const code = "process.stdin.resume().on('end', () => console.log(process.env.KEY_COMMAND_TEST))";
      assert.equal(await keyOf(node(code)), "sk-environment");
    } finally {
      delete process.env.KEY_COMMAND_TEST;
    }
  });

  it("does not wait for what the program leaves running", async () => {
    const code =
      "require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' }).unref();" +
      "process.stdout.write('sk-left', () => process.exit(0))";
    assert.equal(await keyOf(node(code)), "sk-left");
  });

  const failures: readonly (readonly [string, Command, UserErrorKind, RegExp])[] = [
    ["is not found", ["no-such-program-here"], "keyCommandNotStarted", /^no-such-program-here$/],
    [
      "fails",
      node("console.error('first'); console.error('Log in again.'); process.exit(3)"),
      "keyCommandFailed",
      /3\. Log in again\.$/,
    ],
    [
      "fails after it has printed",
      node(
        "process.stdout.write('sk-printed-1234567'); process.stderr.write('bad sk-printed-1234567'); process.exitCode = 1",
      ),
      "keyCommandFailed",
      /1\. bad (?!.*printed)/,
    ],
    ["is killed", node("process.kill(process.pid, 'SIGKILL')"), "keyCommandFailed", /SIGKILL|1/],
    ["prints nothing", node("console.log('  ')"), "keyCommandEmpty", /^node/],
    ["prints two lines", node("console.log('sk-one\\nsk-two')"), "keyCommandLines", /^node/],
    ["prints words", node("console.log('not logged in')"), "keyCommandCharacters", /^node/],
    ["prints 17 KB", node("console.log('k'.repeat(17 * 1024))"), "keyCommandTooLong", /^node/],
    [
      "prints without end",
      node("for (;;) require('node:fs').writeSync(1, 'k'.repeat(4096))"),
      "keyCommandTooLong",
      /^node/,
    ],
  ];
  for (const [what, command, kind, subject] of failures) {
    it(`says why there is no key if the program ${what}`, async () => {
      const failure = await failureOf(command);
      assert.equal(failure.kind, kind);
      assert.match(failure.subject, subject);
      assert.doesNotMatch(failure.subject, /sk-printed/);
    });
  }

  it("is stopped with all that it has started when it takes too long", async () => {
    const folder = await mkdtemp(join(tmpdir(), "key-command-"));
    const file = join(folder, "beats");
    const beat = `setInterval(() => require('node:fs').appendFileSync(${JSON.stringify(file)}, '.'), 20)`;
    const code = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(beat)}], { stdio: 'inherit' }); ${beat}`;
    await assert.rejects(printKey(node(code), 1_500), { kind: "keyCommandTimeout" });
    await appendFile(file, "");
    const { size } = await stat(file);
    await setTimeout(200);
    const later = (await stat(file)).size;
    assert.ok(later - size < 3, `${String(later - size)} beats after the end`);
    await rm(folder, { recursive: true });
  });

  it("runs once for all who wait", async () => {
    const clock = virtual();
    const keys = await Promise.all([clock.command.key(), clock.command.key(), clock.command.key()]);
    assert.deepEqual(keys, ["key-1", "key-1", "key-1"]);
    assert.equal(clock.runs(), 1);
  });

  it("runs again after a failure", async () => {
    const clock = virtual();
    clock.failNext();
    await assert.rejects(clock.command.key());
    assert.equal(await clock.command.key(), "key-2");
  });

  it("runs once more when the gateway has refused the key", async () => {
    const clock = virtual();
    const refused = await clock.command.key();
    assert.deepEqual(await Promise.all([clock.command.key(refused), clock.command.key(refused)]), ["key-2", "key-2"]);
    // Whoever hears of the refusal late gets the key that is there already.
    assert.equal(await clock.command.key(refused), "key-2");
    assert.equal(clock.runs(), 2);
  });

  it("runs again when the setting changes", async () => {
    const clock = virtual();
    await clock.command.key();
    clock.set(["other"]);
    assert.equal(await clock.command.key(), "key-2");
  });

  it("renews a key of five minutes for an hour of questions, once each time, without letting anyone wait", async () => {
    const clock = virtual();
    const lives: number[] = [];
    for (let second = 0; second < 3600; second += 5) {
      const printedAt = Number((await clock.command.key()).split("@")[1] ?? clock.printedAt());
      lives.push(clock.now() - printedAt);
      await clock.pass(5_000);
    }
    assert.ok(Math.max(...lives) < 5 * minute, "no key is used after its time");
    assert.ok(clock.runs() <= Math.ceil(60 / 4.5) + 1, String(clock.runs()));
  });

  it("uses a token for as long as it says itself", async () => {
    let now = 0;
    let runs = 0;
    const print = (): Promise<string> => Promise.resolve(token(now + 60 * minute, String((runs += 1))));
    const command = new KeyCommand({ command: () => ["x"], lifetime: () => 5 * minute, now: () => now, print });
    const first = await command.key();
    now = 58 * minute;
    assert.equal(await command.key(), first);
    now = 60 * minute;
    assert.notEqual(await command.key(), first);
    assert.equal(runs, 2);
  });
});

/** A command that prints `key-1`, `key-2` and so on, with a clock. */
function virtual(): {
  readonly command: KeyCommand;
  readonly now: () => number;
  readonly runs: () => number;
  readonly printedAt: () => number;
  failNext(): void;
  set(command: Command): void;
  pass(time: number): Promise<void>;
} {
  let [now, runs, printedAt, fails, set] = [0, 0, 0, false, ["x"] as Command];
  const print = async (): Promise<string> => {
    runs += 1;
    await Promise.resolve();
    if (fails) {
      fails = false;
      throw new UserError("keyCommandEmpty", { subject: "x" });
    }
    printedAt = now;
    return `key-${String(runs)}`;
  };
  return {
    command: new KeyCommand({ command: () => set, lifetime: () => 5 * minute, now: () => now, print }),
    now: () => now,
    runs: () => runs,
    printedAt: () => printedAt,
    failNext: () => {
      fails = true;
    },
    set: (command) => {
      set = command;
    },
    pass: async (time) => {
      now += time;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
