import assert from "node:assert/strict";
import { l10n } from "vscode";
import chinese from "../../l10n/bundle.l10n.zh-cn.json" with { type: "json" };
import type { FailedAction } from "../../src/failures/notice.ts";
import { noticeOf } from "../../src/failures/notices.ts";
import { GatewayError, type GatewayErrorDetails } from "../../src/gateway/errors.ts";
import type { EntryName, KeyGroup } from "../../src/gateway/types.ts";
import { everyKind } from "./everyKind.ts";

const noisy = "<b>no</b> `x` [a](command:evil) ![i](https://x/y.png)\n sk-abcdefgh ".repeat(8);
const words = [undefined, "Unknown field: tools", "Stop.", "Why?", "并发过高。", "wait;", "cut…", noisy];
const waits = [undefined, 0, 1_000, 45_000, 3_600_000, 90_000_000, Infinity, NaN];
const sentenceEnds = /[.?!](?=\s|$)|[。？！]/g;
const translations = new Map(Object.entries(chinese));
const english = l10n.t;

for (const [language, speak] of [
  ["English", english],
  ["Chinese", inChinese],
] as const) {
  describe(`every notice in ${language}`, () => {
    before(() => Object.assign(l10n, { t: speak }));
    after(() => Object.assign(l10n, { t: english }));

    for (const kind of everyKind) {
      it(`is whole sentences of bearable length, with a remedy: ${kind}`, () => {
        for (const details of everyDetails()) {
          for (const operation of operations(details.group ?? "codex")) {
            const { text, brief, actions } = noticeOf(new GatewayError(kind, "it is not a URL", details), operation);
            for (const said of [text, brief]) {
              const shown = `${said} ${JSON.stringify(details)}`;
              assert.match(said, /[.!?…。！？]$/, shown);
              assert.doesNotMatch(said, /[.。!！?？]\s*[.。]|[,;:，；：] ?[.。]|…[.。]|\s{2}|\{\d\}| [.,;:]/, shown);
              assert.doesNotMatch(said, /undefined|NaN|Infinity|\[object|\]\(|sk-a/, shown);
              assert.ok(said.length <= 320, `${said.length}: ${shown}`);
            }
            assert.ok(brief.length <= text.length, brief);
            // A notification; what the gateway says itself may have any number.
            const shown = operation.isInChat ? brief : text;
            if (details.gatewayMessage === undefined) assert.ok((shown.match(sentenceEnds) ?? []).length <= 2, shown);
            assert.ok(actions.length > 0 && actions.length <= 4, text);
          }
        }
      });
    }
  });
}

/** What can be known about a failure, each with each that could go wrong together. */
function* everyDetails(): Generator<GatewayErrorDetails> {
  for (const group of ["codex", "image"] as const) {
    for (const entry of [undefined, "primary", "backup"] as const) {
      for (const gatewayMessage of words)
        yield { group, entry, gatewayMessage, status: 400, attempts: attemptsBeside(entry, gatewayMessage) };
      for (const retryAfter of waits) yield { group, entry, retryAfter, status: 429 };
      for (const field of ["size", "tools"]) yield { group, entry, field, gatewayMessage: "No." };
      for (const page of ["", "Please log in", noisy]) yield { group, entry, page };
      for (const by of ["environment", "user"] as const) {
        yield { group, entry, refusal: { by, origin: "https://gateway.example.com" } };
      }
      for (const model of [undefined, "gpt-5.4", noisy]) yield { group, entry, model, status: 404, requestId: noisy };
    }
  }
}

/** A failure of the other entry. */
function attemptsBeside(entry: EntryName | undefined, gatewayMessage: string | undefined): readonly GatewayError[] {
  if (entry === undefined) return [];
  const other = entry === "primary" ? "backup" : "primary";
  return [new GatewayError("rejected", "", { entry: other, status: 400, gatewayMessage })];
}

function operations(keyGroup: KeyGroup): readonly FailedAction[] {
  const retry = (): Promise<void> => Promise.resolve();
  const remedies = { square: retry, saveElsewhere: retry, orderAgain: retry, forget: retry };
  return [
    { name: "test", keyGroup },
    { name: "test", keyGroup, retry, remedies },
    { name: "test", keyGroup, builtInChat: { question: "Why?" }, isInChat: true },
  ];
}

/** As VS Code translates with the bundle. */
function inChinese(text: string, ...values: readonly unknown[]): string {
  const translation = translations.get(text) ?? text;
  return translation.replace(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)]));
}
