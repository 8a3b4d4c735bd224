import assert from "node:assert/strict";
import { spawn as runInBackground } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, realpath, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { homedir } from "node:os";
import { basename, delimiter, isAbsolute, join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { env, workspace } from "vscode";
import { type Command, KeyCommand, type KeyCommandOptions } from "../../src/settings/keyCommand.ts";
import { keyCommandOf } from "../../src/settings/keyCommandSetting.ts";
import { UserError, type UserErrorKind } from "../../src/failures/userError.ts";
import { runKeyCommand } from "../../src/setup/runKeyCommand.ts";
import { each } from "../support/each.ts";
import { posixIt, testFolder } from "../support/testFolder.ts";

const minute = 60_000;

/** A command that runs this code. */
function node(code: string): Command {
  return [process.execPath, "-e", code];
}

/** A key command that runs real programs. */
function keyOf(command: Command): Promise<string> {
  return new KeyCommand({
    command: () => command,
    lifetime: () => 5 * minute,
    now: Date.now,
    print: runKeyCommand,
  }).key();
}

/** A JSON Web Token that expires at this time, in milliseconds since the epoch. */
function token(expiresAt: number, id: number): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ exp: expiresAt / 1000, id })}.x`;
}

const spawn = "require('node:child_process').spawn(process.execPath, ";
const sleeper = `${spawn} ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' }).unref();`;
const leaves = `${sleeper} process.stdout.write('sk-left', () => process.exit(0))`;
const fails = "process.stdout.write('sk-printed-123'); console.error('opaque 7f3a9c1e55'); process.exitCode = 3";
const prints = "for (;;) require('node:fs').writeSync(1, 'k'.repeat(4096))";
const write = "process.stdout.write(process.argv.slice(1).join('|'))";
const printsArguments: Command = [...node(write), "$HOME", "`id`", ";x", "a&b"];

describe("a key command", () => {
  const folder = testFolder();

  each<[Command], string>([
    ["has the key that the program prints, without what surrounds it", node("console.log(' sk-one\\n')"), "sk-one"],
    ["has no output of errors", node("process.stdout.write('sk-two'); console.error('renewed')"), "sk-two"],
    ["gets its arguments as they are, without a shell", printsArguments, "$HOME|`id`|;x|a&b"],
    ["does not wait for what the program leaves running", node(leaves), "sk-left"],
  ]).gives(keyOf);

  it("has none by a relative path", async function () {
    const path = relative(homedir(), process.execPath);
    // On another drive of Windows.
    if (isAbsolute(path)) this.skip();
    await assert.rejects(keyOf([path]), { kind: "keyCommandNotStarted", subject: basename(path) });
  });

  it("has the user's environment, and no input to wait for", async () => {
    process.env.KEY_COMMAND_TEST = "sk-environment";
    const code = "process.stdin.resume().on('end', () => console.log(process.env.KEY_COMMAND_TEST))";
    const key = keyOf(node(code));
    assert.equal(await key.finally(() => delete process.env.KEY_COMMAND_TEST), "sk-environment");
  });

  each<[Command, UserErrorKind], RegExp>([
    ["has none if the program is not found", ["no-such-program"], "keyCommandNotStarted", /^no-such-program$/],
    ["has none if Node.js refuses to start it", [process.execPath, "a\0b"], "keyCommandNotStarted", /^node/],
    ["has none if the program fails, even after it has printed", node(fails), "keyCommandFailed", /^node\S* \(3\)$/],
    ["has none if it is killed", node("process.kill(process.pid, 'SIGKILL')"), "keyCommandFailed", /SIGKILL|1/],
    ["has none if it prints nothing", node("console.log('  ')"), "keyCommandEmpty", /^node/],
    ["has none if it prints two lines", node("console.log('sk-one\\nsk-two')"), "keyCommandLines", /^node/],
    ["has none if it prints words", node("console.log('not logged in')"), "keyCommandCharacters", /^node/],
    ["has none if it prints 17 KB", node("console.log('k'.repeat(17 * 1024))"), "keyCommandTooLong", /^node/],
    ["has none if it prints without end", node(prints), "keyCommandTooLong", /^node/],
  ]).hold(async (command, kind, subject) => {
    await assert.rejects(keyOf(command), (failure) => {
      assert.ok(failure instanceof UserError && failure.kind === kind, String(failure));
      assert.match(failure.subject, subject);
      return true;
    });
  });

  it("is stopped with all that it has started when it takes too long", async () => {
    const file = join(folder(), "beats");
    const beat = `setInterval(() => require('node:fs').appendFileSync(${JSON.stringify(file)}, '.'), 20)`;
    const code = `${spawn} ['-e', ${JSON.stringify(beat)}], { stdio: 'inherit' }); ${beat}`;
    await assert.rejects(runKeyCommand(node(code), { limit: 1_500 }), { kind: "keyCommandTimeout" });
    await appendFile(file, "");
    const { size } = await stat(file);
    await setTimeout(200);
    const later = (await stat(file)).size;
    assert.ok(later - size < 3, `${String(later - size)} beats after the end`);
  });

  it("is stopped when nobody waits for its key any more, and not before", async () => {
    const runs: { readonly signal: AbortSignal; readonly key: Promise<string> }[] = [];
    const print: KeyCommandOptions["print"] = (_, { signal }) => {
      const code = runs.length === 0 ? "setTimeout(() => {}, 20_000)" : "console.log('sk-next')";
      const key = runKeyCommand(node(code), { signal });
      runs.push({ signal, key });
      return key;
    };
    const command = new KeyCommand({ command: () => ["x"], lifetime: () => minute, now: Date.now, print });
    const [first, second] = [new AbortController(), new AbortController()];
    const isFirstOver = assert.rejects(command.key({ signal: first.signal }), /first/);
    const isSecondOver = assert.rejects(command.key({ signal: second.signal }), /second/);
    first.abort(new Error("first"));
    await isFirstOver;
    assert.equal(runs[0]?.signal.aborted, false, "the second still waits");
    second.abort(new Error("second"));
    await isSecondOver;
    await assert.rejects(runs[0].key, { name: "AbortError" });
    // What was stopped has not failed.
    assert.equal(await command.key({ isAutomatic: true }), "sk-next");
  });

  it("is stopped when the window closes", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const code = `require("node:net").connect(${port}, "127.0.0.1")`;
    const from = JSON.stringify(new URL("../../src/setup/runKeyCommand.ts", import.meta.url).href);
    const window = `process.stdin.on("end", () => process.exit()).resume();
      void import(${from}).then(({ runKeyCommand }) => runKeyCommand(${JSON.stringify(node(code))}));`;
    const host = runInBackground(process.execPath, ["-e", window], { stdio: ["pipe", "ignore", "inherit"] });
    try {
      const [socket] = (await once(server, "connection")) as [Socket];
      // On Windows, a program that is ended resets its connections.
      const isEnded = Promise.race([once(socket.resume(), "close"), once(socket, "error")]);
      host.stdin.end();
      await isEnded;
    } finally {
      host.kill();
      server.close();
    }
  });

  posixIt("is looked up in absolute folders outside the workspace, also what it starts, and runs at home", async () => {
    const { PATH = "" } = process.env;
    const [inside, own] = [join(folder(), "workspace"), join(folder(), "own")];
    for (const [path, key] of Object.entries({ [inside]: "echo sk-workspace", [own]: "pwd" })) {
      await mkdir(path);
      await writeFile(join(path, "gateway-login"), `#!/bin/sh\n${key}\n`, { mode: 0o755 });
    }
    const run = (paths: readonly string[], ...command: Command): Promise<string> => {
      process.env.PATH = [...paths, PATH].join(delimiter);
      return runKeyCommand(command, { roots: [inside] }).finally(() => (process.env.PATH = PATH));
    };
    for (const path of [inside, relative(homedir(), inside), ""]) {
      await assert.rejects(run([path], "gateway-login"), { kind: "keyCommandNotStarted" });
      await assert.rejects(run([path], "/usr/bin/env", "gateway-login"), { kind: "keyCommandFailed" });
    }
    assert.equal(await run([inside, own], "gateway-login"), await realpath(homedir()));
  });

  it("runs once for all who wait, and again after a failure, and when the setting changes", async () => {
    const { clock, command } = virtual();
    clock.fails = true;
    await assert.rejects(command.key());
    clock.fails = false;
    const keys = await Promise.all([command.key(), command.key(), command.key()]);
    assert.deepEqual([keys, clock.printed.length], [["key-2", "key-2", "key-2"], 2]);
    clock.set = ["other"];
    assert.equal(await command.key(), "key-3");
  });

  it("that failed is not run again for what nobody asked for, until the user asks, tests it, or changes it", async () => {
    const { clock, command } = virtual();
    clock.fails = true;
    const unasked = (): Promise<string> => command.key({ isAutomatic: true });
    for (const act of [unasked, () => command.key(), () => command.renew()]) {
      await assert.rejects(act, { kind: "keyCommandEmpty" });
      const { length } = clock.printed;
      await assert.rejects(unasked, { kind: "keyCommandEmpty" });
      assert.equal(clock.printed.length, length);
    }
    assert.equal(clock.printed.length, 3);
    clock.fails = false;
    clock.set = ["other"];
    assert.equal(await unasked(), "key-4");
    clock.now += 5 * minute - 1;
    clock.fails = true;
    for (let use = 0; use < 3; use += 1) {
      assert.equal(await unasked(), "key-4");
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(clock.printed.length, 5);
  });

  it("runs once more when the gateway has refused the key", async () => {
    const { clock, command } = virtual();
    const refused = await command.key();
    assert.deepEqual(await Promise.all([command.key({ refused }), command.key({ refused })]), ["key-2", "key-2"]);
    // Whoever hears of the refusal late gets the key that is there already.
    assert.equal(await command.key({ refused }), "key-2");
    assert.equal(clock.printed.length, 2);
  });

  it("renews a key of five minutes for an hour of questions, once each time, without letting anyone wait", async () => {
    const { clock, command } = virtual();
    const lives: number[] = [];
    for (; clock.now < 60 * minute; clock.now += 5_000) {
      const key = await command.key();
      lives.push(clock.now - (clock.printed[Number(key.slice(4)) - 1] ?? 0));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(Math.max(...lives) < 5 * minute, "no key is used after its time");
    assert.ok(clock.printed.length <= Math.ceil(60 / 4.5) + 1, String(clock.printed.length));
  });

  it("does not use a key for longer where the clock was set back", async () => {
    const { clock, command } = virtual();
    const first = await command.key();
    clock.now -= 60 * minute;
    assert.notEqual(await command.key(), first);
  });

  it("uses a token for as long as it says itself", async () => {
    const { clock, command } = virtual((id, now) => token(now + 60 * minute, id));
    const first = await command.key();
    clock.now = 58 * minute;
    assert.equal(await command.key(), first);
    clock.now = 60 * minute;
    assert.notEqual(await command.key(), first);
    assert.equal(clock.printed.length, 2);
  });

  it("runs once for a token that has expired already, by a clock that is fast", async () => {
    const { clock, command } = virtual((id) => token(60 * minute, id));
    clock.now = 100 * minute;
    for (const runs of [1, 1, 2]) {
      await command.key();
      assert.equal(clock.printed.length, runs);
      clock.now += 3 * minute;
    }
  });
});

/** A command that prints `key-1`, `key-2` and so on, or other keys, with a clock. */
function virtual(keyOf: (id: number, now: number) => string = (id) => `key-${id}`) {
  const clock = { now: 0, printed: [] as number[], fails: false, set: ["x"] as Command };
  const print = async (): Promise<string> => {
    clock.printed.push(clock.now);
    const key = keyOf(clock.printed.length, clock.now);
    await Promise.resolve();
    if (clock.fails) throw new UserError("keyCommandEmpty", { subject: "x" });
    return key;
  };
  const command = () => clock.set;
  return { clock, command: new KeyCommand({ command, lifetime: () => 5 * minute, now: () => clock.now, print }) };
}

it("no command for a key runs in a dev container or in Codespaces, which can set it", () => {
  const get = (name: string): unknown => (name === "keyCommand.codex" ? ["print-key"] : undefined);
  Reflect.set(workspace, "getConfiguration", () => ({ get, inspect: () => undefined }));
  const remotes = [undefined, "ssh-remote", "dev-container", "attached-container", "codespaces"];
  const commands = remotes.map((remote) => {
    Reflect.set(env, "remoteName", remote);
    return keyCommandOf("codex").length;
  });
  assert.deepEqual(commands, [1, 1, 0, 0, 0]);
});
