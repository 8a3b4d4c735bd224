import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { eventsOf } from "./asker.ts";
import type { Asker } from "./asker.ts";
import type { LocalGateway } from "./gateway.ts";
import { withGateway } from "./hooks.ts";
import type { BrokenAnswer, ErrorShape } from "./types.ts";

describe("local gateway: fails as told", () => {
  let gateway: LocalGateway;
  let ask: Asker;
  withGateway((...started) => ([gateway, ask] = started));

  it("with a status for so many requests, in the shape asked for, probes not counted", async () => {
    gateway.entry("primary").next(2, { status: 529 });
    await fetch(`${gateway.primary.url}/v1/models`);
    assert.equal((await ask.chat("hi")).status, 529);
    assert.equal((await ask.chat("hi")).status, 529);
    assert.equal((await ask.chat("hi")).status, 200);
    gateway.entry("primary").always({ status: 429, retryAfter: 7 });
    assert.equal((await ask.chat("hi")).headers.get("retry-after"), "7");
    gateway.entry("primary").always({ status: 502 });
    assert.match(await (await ask.chat("hi")).text(), /^<!DOCTYPE html>/);
  });

  it("in every shape of an error body", async () => {
    const starts: Record<ErrorShape, RegExp> = {
      openai: /^\{"error":\{"message":/,
      flat: /^\{"code":/,
      text: /^\{"error":"/,
      detail: /^\{"detail":/,
      plain: /^internal_error/,
      html: /^<!DOCTYPE/,
    };
    gateway.mode({ errorShape: "rotate" });
    const seen = new Set<string>();
    for (let count = 0; count < 6; count += 1) {
      gateway.entry("backup").next(1, { status: 500 });
      const body = await (await ask.post("/v1/responses", {}, { base: gateway.backup.url })).text();
      seen.add(Object.values(starts).find((one) => one.test(body))?.source ?? "");
    }
    assert.equal(seen.size, 6);
  });

  it("before, inside and at the end of an answer", async () => {
    const stream = (broken: BrokenAnswer) => {
      gateway.entry("primary").next(1, { broken, after: 2 });
      return ask.chat("Why is the sky blue?", { stream: true });
    };
    await assert.rejects(stream("closed"));
    await assert.rejects(stream("reset"));
    assert.equal(await (await stream("empty")).text(), "");
    assert.match(await (await stream("html")).text(), /<html>/);
    assert.match(await (await stream("jsonError")).text(), /^\{"error"/);
    const cut = await stream("cut");
    await assert.rejects(cut.text());
    const unfinished = eventsOf(await (await stream("unfinished")).text());
    assert.equal(unfinished.length, 3);
    assert.match(eventsOf(await (await stream("errorEvent")).text()).at(-1) ?? "", /^\{"error"/);
    assert.equal(gateway.requests.filter(({ closed }) => closed !== undefined).length, 0);
  });

  it("by being gone, and comes back on the same port", async () => {
    await gateway.stopEntry("primary");
    await assert.rejects(ask.chat("hi"));
    assert.equal(
      (await ask.post("/v1/responses", { model: "gpt-5.4", input: "hi" }, { base: gateway.backup.url })).status,
      200,
    );
    await gateway.startEntry("primary");
    assert.equal((await ask.chat("hi")).status, 200);
  });

  it("slowly, or not before it is released, and notices a client that goes away", async () => {
    gateway.mode({ hold: "midAnswer" });
    const [first, second] = [new AbortController(), new AbortController()];
    const stopped = await ask.chat("one", { stream: true }, first.signal);
    const whole = await ask.chat("two", { stream: true }, second.signal);
    await gateway.until((_, held) => held === 2);
    first.abort();
    await assert.rejects(stopped.text());
    await gateway.until((requests) => requests[0]?.closed !== undefined);
    gateway.release();
    assert.match(await whole.text(), /\[DONE\]/);
    await gateway.until((requests) => requests[1]?.ended !== undefined);
  });

  it("held before the headers, unless a client only asks whether the entry lives", async () => {
    gateway.mode({ hold: "beforeHeaders" });
    assert.equal((await fetch(`${gateway.primary.url}/v1`, { method: "HEAD" })).status, 404);
    const answer = ask.chat("one");
    await gateway.until((_, held) => held === 1);
    gateway.release();
    assert.equal((await answer).status, 200);
  });
});
