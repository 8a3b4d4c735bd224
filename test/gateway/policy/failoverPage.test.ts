import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GatewayErrorKind } from "../../../src/gateway/errors.ts";
import { mayRepeat } from "../../../src/gateway/policy/decide.ts";
import { afterProcessing, rules } from "../../../src/gateway/policy/rules.ts";
import { kindByStatus } from "../../../src/gateway/wire/errorAnswer.ts";
import { course, next } from "../../support/course.ts";

/** The words of a page for what the policy does. */
interface Words {
  readonly file: string;
  readonly section: RegExp;
  readonly stop: string;
  readonly userDecides: string;
  readonly again: (times: number, isAfterPause: boolean) => string;
  readonly other: string;
  readonly thenOther: string;
  readonly ifProven: (alone: string, times: number) => string;
  readonly longestWaits: (besideHealthy: number, alone: number) => readonly string[];
  readonly attempts: (most: number) => string;
}

const english: Words = {
  file: "docs/errors.md",
  section: /## How failover decides\n([^]*?)\n## /,
  stop: "Stop",
  userDecides: "Stop; you decide",
  again: (times, isAfterPause) => `${times === 1 ? "Once" : "Twice"} more${isAfterPause ? " after a pause" : ""}`,
  other: "The other entry",
  thenOther: ", then the other entry",
  ifProven: (alone, times) => `${alone}; ${times === 2 ? "twice" : "?"} if the entry has answered before`,
  longestWaits: (besideHealthy, alone) => [`longer than ${besideHealthy} s`, `longer than ${alone} s`],
  attempts: (most) => `more than ${["no", "one", "two", "three", "four", "five"][most] ?? most} requests`,
};

const chinese: Words = {
  file: "docs/zh-cn/errors.md",
  section: /## 如何决定切换\n([^]*?)\n## /,
  stop: "停止",
  userDecides: "停止，由您决定",
  again: (times, isAfterPause) => `${isAfterPause ? "稍后" : ""}重试${times === 1 ? "一" : "两"}次`,
  other: "使用另一个入口",
  thenOther: "，然后使用另一个入口",
  ifProven: (alone, times) => `${alone}；该入口此前应答过则重试${times === 2 ? "两" : "？"}次`,
  longestWaits: (besideHealthy, alone) => [`超过 ${besideHealthy} 秒`, `超过 ${alone} 秒`],
  attempts: (most) => `最多发送${["零", "一", "两", "三", "四", "五"][most] ?? most}个请求`,
};

/** Kinds that fail before anything is sent, that the text around the table is about, or that only image files have. */
const elsewhere: ReadonlySet<string> = new Set<GatewayErrorKind>([
  ...(["noEntry", "badUrl", "noKey", "certificateFile", "interrupted", "mayBeCharged"] as const),
  ...(["linkExpired", "linkForbidden", "downloadFailed", "notAnImage", "tooLarge"] as const),
]);

for (const words of [english, chinese]) {
  describe(`the failover section of ${words.file}`, () => {
    const page = readFileSync(join(import.meta.dirname, "../../..", words.file), "utf8");
    const section = words.section.exec(page)?.[1] ?? "";
    const rows = [...section.matchAll(/^\| `.*\|$/gm)].map(([line]) => {
      const [kinds = "", happened = "", ...cells] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { kinds: [...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => kind as GatewayErrorKind), happened, cells };
    });

    it("has every cause once", () => {
      const expected = Object.keys(rules.chat).filter((kind) => !elsewhere.has(kind));
      assert.deepEqual(rows.flatMap(({ kinds }) => kinds).sort(), expected.sort());
    });

    it("says what the policy does", () => {
      for (const { kinds, cells } of rows) {
        for (const kind of kinds) assert.deepEqual(cells, cellsOf(kind, words), kind);
      }
    });

    it("has every status beside its cause", () => {
      const found = rows.flatMap(({ kinds, happened }) =>
        statusesIn(happened).map((status) => {
          assert.ok(kinds.includes(kindByStatus[status] ?? "rejected"), `${status}`);
          return status;
        }),
      );
      assert.deepEqual(found.sort(), Object.keys(kindByStatus).map(Number).sort());
    });

    it("has the limits of the policy", () => {
      const text = section.replace(/\s+/g, " ");
      const besideHealthy = longestWait(
        (retryAfter) => next("chat", "overloaded", {}, { retryAfter }).action === "again",
      );
      const alone = longestWait((retryAfter) => next("chat", "rateLimited", {}, { retryAfter }).action === "again");
      const most = [1, 2, 3, 4, 5, 6, 7].find((attempts) => !mayRepeat({ attempts, elapsed: 0 })) ?? 0;
      for (const limit of [...words.longestWaits(besideHealthy, alone), words.attempts(most)]) {
        assert.ok(text.includes(limit), limit);
      }
    });
  });
}

/** A question with a backup and without one, and an image order. */
function cellsOf(kind: GatewayErrorKind, words: Words): readonly string[] {
  const alone = course("alone", kind);
  const proven = course("proven", kind);
  const described = describeCourse(alone, words);
  const isPaidPerhaps = afterProcessing.some((one) => one === kind);
  const image = course("image", kind);
  return [
    describeCourse(course("chat", kind), words),
    alone === proven ? described : words.ifProven(described, repetitions(proven)),
    isPaidPerhaps && image === "P" ? words.userDecides : describeCourse(image, words),
  ];
}

function describeCourse(entries: string, words: Words): string {
  const [here = "", there = ""] = entries.split(/(?=B)/, 2);
  const times = repetitions(here);
  const moves = there !== "";
  if (moves) assert.equal(repetitions(entries.slice(here.length)), times, "the other entry gets as many tries");
  if (times === 0) return moves ? words.other : words.stop;
  return words.again(times, here.includes("~")) + (moves ? words.thenOther : "");
}

function repetitions(entries: string): number {
  return entries.replace(/[-~]/g, "").length - 1;
}

/** The statuses that a cell names, ranges such as 520–527 included. */
function statusesIn(text: string): readonly number[] {
  return [...text.matchAll(/\b(\d{3})(?:–(\d{3}))?\b/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
  );
}

/** The longest wait, in whole seconds, that `isKept` says is kept. */
function longestWait(isKept: (milliseconds: number) => boolean): number {
  let seconds = 0;
  while (seconds < 3_600 && isKept((seconds + 1) * 1_000)) seconds += 1;
  return seconds;
}
