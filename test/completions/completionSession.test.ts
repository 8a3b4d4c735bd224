import assert from "node:assert/strict";
import { CompletionCache } from "../../src/completions/completionCache.ts";
import {
  type RequestedCompletion,
  CompletionSession,
  type RequestTrigger,
} from "../../src/completions/completionSession.ts";
import { Governor } from "../../src/completions/governor.ts";
import { GatewayError, type GatewayErrorKind } from "../../src/gateway/errors.ts";
import { VirtualClock } from "../support/completions/virtualClock.ts";
import { each } from "../support/each.ts";

const latency = 800;

interface Asked extends RequestedCompletion {
  readonly signal: AbortSignal;
  readonly at: number;
}

/** An editor with one document, whose model streams the same answer to each question, one piece in 10 ms. */
class Editor {
  readonly clock = new VirtualClock();
  readonly governor = new Governor({ maxPerHour: 3, now: () => this.clock.now() });
  readonly asked: Asked[] = [];
  readonly session: CompletionSession;
  #stop = new AbortController();
  shown: string | undefined;
  prefix = "const total = ";
  suffix = "\n";

  constructor(answer: readonly string[] | Error) {
    this.session = new CompletionSession({
      governor: this.governor,
      cache: new CompletionCache(),
      clock: this.clock,
      ask: (question, signal) => this.#answer(answer, question, signal),
    });
  }

  async *#answer(answer: readonly string[] | Error, question: RequestedCompletion, signal: AbortSignal) {
    this.asked.push({ ...question, signal, at: this.clock.now() });
    await this.clock.sleep(latency, signal);
    if (answer instanceof Error) throw answer;
    for (const piece of answer) {
      yield piece;
      await this.clock.sleep(10, signal);
    }
  }

  /** Types, and lets so much time pass. */
  types(text: string, time = 0): Promise<void> {
    this.prefix += text;
    return this.asks(time);
  }

  /** Asks, and lets so much time pass. */
  asks(time: number, trigger: RequestTrigger = "automatic"): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.shown = undefined;
    const context = { prefix: this.prefix, suffix: this.suffix, languageId: "typescript" };
    void this.session.suggest(context, signal, trigger).then((text) => {
      if (!signal.aborted) this.shown = text;
    });
    return this.pass(time);
  }

  pass(time: number): Promise<void> {
    return this.clock.moveTo(this.clock.now() + time);
  }
}

describe("a session of completions", () => {
  it("asks once after a pause in typing, and shows the rest of the line", async () => {
    const editor = new Editor(["items)", ";\nreturn", " total;\n"]);
    for (const key of ["s", "u", "m", "("]) await editor.types(key, 200);
    await editor.pass(2_000);
    assert.equal(editor.shown, "items);");
    const times = editor.asked.map(({ at }) => at);
    assert.deepEqual(times, [900]);
  });

  it("waits longer in a word", async () => {
    const editor = new Editor(["items)"]);
    await editor.types("sum", 3_000);
    const times = editor.asked.map(({ at }) => at);
    assert.deepEqual(times, [750]);
  });

  it("asks for nothing at the end of a finished line, unless on demand", async () => {
    const editor = new Editor(["\nreturn total;"]);
    for (const end of ["sum(items);", "\n}", "\n});", "\nname: 1,"]) await editor.types(end, 3_000);
    assert.equal(editor.asked.length, 0);
    await editor.asks(3_000, "onDemand");
    assert.equal(editor.asked.length, 1);
  });

  it("waits longer from answer to answer that come too late", async () => {
    const editor = new Editor(["sum(items);"]);
    for (const key of ["( ", "[ ", "{ "]) {
      await editor.types(key, editor.governor.pause() + 100);
      editor.session.moved(undefined);
      await editor.pass(0);
    }
    assert.equal(editor.asked.length, 3);
    assert.ok(editor.governor.pause() > 600);
  });

  it("shows what is left when the beginning of a suggestion is typed, without another request", async () => {
    const editor = new Editor(["sum(items);"]);
    await editor.asks(2_000);
    await editor.types("su", 0);
    assert.equal(editor.shown, "m(items);");
    assert.equal(editor.asked.length, 1);
  });

  it("joins the request under way when its beginning is typed meanwhile", async () => {
    const editor = new Editor(["sum(", "items);"]);
    await editor.asks(1_105);
    void editor.types("s");
    await editor.types("u", 1_000);
    assert.equal(editor.shown, "m(items);");
    assert.equal(editor.asked.length, 1);
  });

  it("aborts the request under way at once when something else is typed", async () => {
    const editor = new Editor(["sum(", "items);", "\n"]);
    await editor.asks(1_105);
    void editor.types("x");
    assert.equal(editor.asked[0]?.signal.aborted, true);
    assert.equal(editor.shown, undefined);
  });

  it("aborts a request that nobody waits for any more", async () => {
    const editor = new Editor(["sum(items);"]);
    const stop = new AbortController();
    const context = { prefix: "a = ", suffix: "", languageId: "typescript" };
    const suggested = editor.session.suggest(context, stop.signal, "onDemand");
    await editor.pass(100);
    stop.abort();
    assert.equal(await suggested, undefined);
    await editor.pass(600);
    assert.equal(editor.asked[0]?.signal.aborted, true);
  });

  it("leaves the request when the answer is whole", async () => {
    const editor = new Editor(["sum(items);\n", "more", "more"]);
    await editor.asks(1_101);
    assert.equal(editor.asked[0]?.signal.aborted, true);
    assert.equal(editor.shown, "sum(items);");
  });

  it("does not ask again where the model had nothing to say, unless on demand", async () => {
    const editor = new Editor([""]);
    for (let round = 0; round < 3; round += 1) await editor.asks(3_000);
    assert.equal(editor.shown, undefined);
    assert.equal(editor.asked.length, 1);
    await editor.asks(3_000, "onDemand");
    assert.equal(editor.asked.length, 2);
  });

  it("does not wait longer where the model had nothing to say", async () => {
    const editor = new Editor([""]);
    const before = editor.governor.pause();
    for (const key of ["( ", "[ ", "{ "]) await editor.types(key, 3_000);
    assert.equal(editor.asked.length, 3);
    assert.ok(editor.governor.pause() <= Math.max(before, latency), `${editor.governor.pause()} ms`);
  });

  it("asks for something else on demand where its suggestion was dismissed", async () => {
    const editor = new Editor(["sum(items);"]);
    for (let round = 0; round < 2; round += 1) await editor.asks(3_000, "onDemand");
    const dismissed = editor.asked.map((one) => one.dismissed);
    assert.deepEqual(dismissed, [undefined, "sum(items);"]);
    void editor.types("s");
    await editor.asks(3_000, "onDemand");
    assert.equal(editor.asked.length, 2, "what is typed as suggested was not dismissed");
  });

  it("stops after a limit, even on demand", async () => {
    const editor = new Editor(new GatewayError("rateLimited", ""));
    await editor.asks(3_000);
    await editor.types("x", 3_000);
    await editor.asks(3_000, "onDemand");
    assert.equal(editor.asked.length, 1);
    assert.equal(editor.governor.denial, "limited");
  });

  each<[GatewayErrorKind], Governor["denial"]>([
    ["goes on after an empty answer", "empty", undefined],
    ["stops after an overload", "overloaded", "limited"],
    ["stops where it may not ask", "forbidden", "refused"],
    ["stops without its model", "modelNotFound", "refused"],
    ["goes on after a filtered request", "filtered", undefined],
    ["goes on after an error of the server", "serverError", undefined],
    ["goes on after a lost connection", "connectionLost", undefined],
  ]).gives(async (kind) => {
    const editor = new Editor(new GatewayError(kind, ""));
    await editor.asks(3_000);
    return editor.governor.denial;
  });

  it("answers at once on demand, also when the requests of the hour are spent", async () => {
    const editor = new Editor(["sum(items);"]);
    for (const key of ["1", "2", "3", "4"]) await editor.types(key, 5_000);
    assert.equal(editor.asked.length, 3);
    await editor.asks(latency + 50, "onDemand");
    assert.equal(editor.asked.length, 4);
    assert.equal(editor.shown, "sum(items);");
  });

  it("asks for one line after an accepted suggestion", async () => {
    const editor = new Editor(["sum(items);"]);
    await editor.asks(1_000, "onDemand");
    editor.session.accepted();
    await editor.types("sum(items);\n", 2_000);
    const kinds = editor.asked.map(({ kind }) => kind);
    assert.deepEqual(kinds, ["rest", "line"]);
  });

  it("begins the next line after an accepted suggestion with a line break", async () => {
    for (const answer of ["<completion>\nprint(a)\n</completion>", "print(a)", "\nprint(a)\n"]) {
      const editor = new Editor([answer]);
      editor.prefix = "a = 1";
      await editor.asks(1_000, "onDemand");
      editor.session.accepted();
      await editor.types(editor.shown ?? "", 3_000);
      assert.equal(editor.shown, "\nprint(a)", answer);
    }
  });

  it("asks for nothing before closers after an accepted suggestion, unless it opens a block", async () => {
    for (const [answer, requests] of [
      ["items)", 1],
      ["() => {", 2],
    ] as const) {
      const editor = new Editor([answer]);
      editor.suffix = ")\n";
      editor.prefix = "const total = sum(";
      await editor.asks(1_000, "onDemand");
      const text = editor.shown ?? "";
      editor.session.accepted();
      await editor.types(text, 3_000);
      assert.equal(editor.asked.length, requests, answer);
    }
  });

  it("shows a suggestion again on demand that came while typing, since it may be visible", async () => {
    const editor = new Editor(["sum(items);"]);
    await editor.asks(3_000);
    await editor.asks(100, "onDemand");
    assert.equal(editor.shown, "sum(items);");
    assert.equal(editor.asked.length, 1);
    await editor.asks(3_000, "onDemand");
    assert.equal(editor.asked[1]?.dismissed, "sum(items);");
  });

  it("aborts what is under way when the editor is left", async () => {
    const editor = new Editor(["sum(items);"]);
    await editor.asks(500);
    editor.session.moved(undefined);
    assert.equal(editor.asked[0]?.signal.aborted, true);
  });
});
