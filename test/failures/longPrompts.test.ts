import assert from "node:assert/strict";
import type { FailedAction } from "../../src/failures/notice.ts";
import { noticeOf } from "../../src/failures/notices.ts";
import { GatewayError, type GatewayErrorDetails } from "../../src/gateway/errors.ts";
import { each } from "../support/each.ts";

const model = "gpt-5.4";
const limited = { status: 400, model, tokenLimit: 128_000, limits: "context" } as const;
const above = { ...limited, tokenLimit: 1_000_000, limits: "input" } as const;

const chat = { name: "chat", keyGroup: "codex", isInChat: true } as const;
const question: FailedAction = { ...chat, retry: () => Promise.resolve() };
const inline: FailedAction = { name: "inline chat", keyGroup: "codex", modelFrom: "inlineChat.model" };
const image: FailedAction = { name: "image", keyGroup: "image" };
const native: FailedAction = { ...chat, modelFrom: "picker", builtInChat: { question: "Why?" } };

describe("a prompt that is too long", () => {
  const gpt = "The prompt is too long for the model “gpt-5.4”";
  const handles = `${gpt}, which handles 128,000 tokens including the answer (400).`;
  const accepts = `${gpt}, which accepts 1,000,000 tokens (400).`;
  const attachLess = "Start a new chat, attach less, or choose a model that accepts more.";
  const selectFewer = "Select fewer lines, start a new conversation, or choose a model that accepts more.";
  const [set, select, settings] = ["Set Limit", "Select Model", "Open Settings"];
  each<[FailedAction, GatewayErrorDetails, string], readonly string[]>([
    ["is told in @codex", question, limited, `${handles} ${attachLess}`, [set, "Retry", select]],
    ["is told with a limit above the configured one", native, above, `${accepts} ${attachLess}`, [set, select]],
    ["is told in inline chat", inline, limited, `${handles} ${selectFewer}`, [set, settings]],
    ["is told without a limit", inline, { status: 413, model }, `${gpt} (413). ${selectFewer}`, [settings]],
    [
      "is told for an image",
      image,
      limited,
      "The prompt is too long for the image model (400). Shorten it, then try again.",
      ["Show Log"],
    ],
  ]).hold((operation, details, text, titles) => {
    const notice = noticeOf(new GatewayError("contextTooLong", "", details), operation);
    assert.deepEqual([notice.text, ...notice.actions.map(({ title }) => title)], [text, ...titles]);
  });
});
