import assert from "node:assert/strict";
import type { FailedAction } from "../../src/failures/notice.ts";
import { noticeOf } from "../../src/failures/notices.ts";
import { GatewayError, type GatewayErrorDetails } from "../../src/gateway/errors.ts";
import { each } from "../support/each.ts";

const model = "gpt-5.4";
const limited = { status: 400, model, tokenLimit: 128_000, limits: "context" } as const;
const above = { ...limited, tokenLimit: 1_000_000, limits: "input" } as const;

const retry = (): Promise<void> => Promise.resolve();
const question: FailedAction = { name: "chat", keyGroup: "codex", retry, isInChat: true };
const inline: FailedAction = { name: "inline chat", keyGroup: "codex", retry, modelFrom: "inlineChat.model" };
const image: FailedAction = { name: "image", keyGroup: "image", retry };
const other: FailedAction = {
  name: "model",
  keyGroup: "codex",
  modelFrom: "picker",
  builtInChat: { question: undefined },
};
const native: FailedAction = { ...other, isInChat: true, builtInChat: { question: "Why?" } };

describe("a prompt that is too long", () => {
  const start = "The prompt is too long for";
  const gpt = `${start} the model “gpt-5.4”`;
  const handles = `${gpt}, which handles 128,000 tokens including the answer`;
  const attachLess = "Start a new chat, attach less, or choose a model that accepts more.";
  const selectFewer = "Select fewer lines, start a new conversation, or choose a model that accepts more.";
  const sendLess = "Send less, or choose a model that accepts more.";
  const [set, select, settings] = ["Set Limit", "Select Model", "Open Settings"];
  each<[FailedAction, GatewayErrorDetails, string], readonly string[]>([
    ["is told in @codex", question, limited, `${handles} (400). ${attachLess}`, [set, "Retry", select]],
    [
      "is told in VS Code's own chat",
      native,
      { ...limited, limits: "input" },
      `${gpt}, which accepts 128,000 tokens (400). ${attachLess}`,
      [set, select],
    ],
    ["is told without a limit", inline, { status: 413 }, `${start} this model (413). ${selectFewer}`, [settings]],
    ["for an image", image, limited, `${start} the image model (400). Shorten it, then try again.`, ["Show Log"]],
    ["is told another extension", other, { status: 400, model }, `${gpt} (400). ${sendLess}`, [select, settings]],
    [
      "is told with a limit above the configured one",
      question,
      above,
      `${gpt}, which accepts 1,000,000 tokens (400). ${attachLess}`,
      [set, select],
    ],
  ]).hold((operation, details, text, titles) => {
    const notice = noticeOf(new GatewayError("contextTooLong", "", details), operation);
    assert.deepEqual([notice.text, ...notice.actions.map(({ title }) => title)], [text, ...titles]);
  });
});
