import assert from "node:assert/strict";
import { rightText, send } from "../../support/faults/answers.ts";
import { type Bench, startBench } from "../../support/faults/bench.ts";
import type { Fault, FaultServer } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { answering, ask, bodyOf, tools } from "../../support/faults/twoApis.ts";
import { textIn } from "../../support/localClient.ts";

const tenMinutes = 600_000;

/** Refuses the first of these fields that a request has, by name or without one. */
function refusing(fields: readonly string[], isNamed: boolean): Fault {
  return (exchange) => {
    const body = bodyOf(exchange.request);
    const refused = fields.find((field) => (field === "input" ? Array.isArray(body.input) : field in body));
    const error = isNamed ? { message: "Unsupported parameter.", param: refused } : { message: "Bad request." };
    if (refused === undefined) answering(exchange);
    else send(400, "application/json", JSON.stringify({ error }))(exchange);
  };
}

/** Sends requests to two upstreams in turns, as in `ABBA`; the last one stays. */
function inTurns(turns: string, b: Fault): Fault {
  let at = 0;
  return (exchange) => {
    const turn = turns[at % turns.length];
    at += 1;
    (turn === "A" ? answering : b)(exchange);
  };
}

const fieldsOf = ({ requests }: FaultServer): readonly string[] =>
  requests.map((request) => Object.keys(bodyOf(request)).join(" "));

const conversation = [
  { role: "user", content: "Hi." },
  { role: "assistant", content: "Hello." },
  { role: "user", content: "Why?" },
] as const;

describe("a gateway with two upstreams of which one refuses", () => {
  leavesNothing();

  const all = ["stream_options", "tools", "stream"];
  const refusedFields = [["stream"], ["stream_options"], ["tools"], ["stream", "tools"], all];
  for (const refused of refusedFields) {
    for (const isNamed of [true, false]) {
      it(`${refused.join(", ")}, ${isNamed ? "named" : "not named"}, answers every question, and streams again within ten minutes`, async () => {
        for (const api of ["chatCompletions", "responses", "auto"] as const) {
          for (const turns of ["AB", "ABB", "AAB", "ABBA", "AABBB"]) {
            await using bench = await startBench(inTurns(turns, refusing(refused, isNamed)), { hasBackup: false });
            for (let question = 0; question < 12; question += 1) {
              const parts = await ask(bench, {
                api,
                tools,
                messages: question % 2 === 0 ? conversation : [conversation[0]],
              });
              assert.equal(textIn(parts), rightText);
            }
            bench.clock.advance(tenMinutes);
            bench.primary.always(answering);
            bench.primary.forget();
            await ask(bench, { api, tools });
            assert.match(fieldsOf(bench.primary).join(), /^model \w+ tools stream( stream_options)?$/);
          }
        }
      });
    }
  }
});

describe("a gateway that takes no list as input", () => {
  leavesNothing();
  const inputs = ({ primary }: Bench): string =>
    primary.requests.map((request) => (Array.isArray(bodyOf(request).input) ? "L" : "S")).join("");

  const saying =
    (error: object): Fault =>
    (exchange) => {
      if (Array.isArray(bodyOf(exchange.request).input)) send(400, "application/json", JSON.stringify(error))(exchange);
      else answering(exchange);
    };
  const request = { api: "responses", messages: conversation } as const;

  for (const error of [
    { error: { message: "Invalid type for 'input': expected a string, but got an array instead.", param: "input" } },
    {
      error: {
        message: "1 validation error: {'loc': ('body', 'input', 'str'), 'msg': 'Input should be a valid string'}",
      },
    },
    { detail: [{ loc: ["body", "input", "str"], msg: "Input should be a valid string" }] },
  ]) {
    it(`gets the conversation as text, and the list no more: ${JSON.stringify(error)}`, async () => {
      await using bench = await startBench(saying(error));
      for (let turn = 0; turn < 3; turn += 1) assert.equal(textIn(await ask(bench, request)), rightText);
      assert.equal(inputs(bench), "LSSS");
    });
  }

  for (const error of [
    { error: { message: "Invalid value: 'assistant'.", param: "input[1].role" } },
    { error: { message: "No tool output found for function call c1.", param: "input" } },
    { error: { message: "Bad request." } },
  ]) {
    it(`gets this conversation as text, and the next one as a list: ${JSON.stringify(error)}`, async () => {
      await using bench = await startBench(saying(error));
      for (let turn = 0; turn < 2; turn += 1) assert.equal(textIn(await ask(bench, request)), rightText);
      assert.equal(inputs(bench), "LSLS");
    });
  }
});
