import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import { bodyFailure, errorAnswer } from "../../../src/gateway/wire/errorAnswer.ts";
import { answered, answerOf } from "./answerOf.ts";

const filter = "What does content_filter mean, and model_not_found?";
const conversation = { messages: [{ role: "user", content: filter }], code: "content_filter" };
const quoted = JSON.stringify(conversation);

/** Errors about a field, which quote the request. */
const aboutFields: readonly object[] = [
  { detail: [{ type: "extra_forbidden", loc: ["body", "stream"], msg: "Extra inputs.", input: conversation }] },
  { error: { message: `Unknown parameter, asked: ${filter}`, param: "stream" } },
  { error: { message: "Unknown parameter.", param: "stream" }, body: { error: { code: "content_filter" } } },
];

/** Errors that only mention the code of another kind, in names or quotes. */
const unnamed: readonly string[] = [
  "Invalid schema for function 'check_content_filter': no type.",
  "Invalid schema for function 'content_filter'.",
  "Invalid schema for function `model_not_found`.",
  `Unknown parameter in ${quoted}`,
  `Unknown parameter beside "${filter}"`,
];

/** Errors that have the code themselves. */
const own = {
  filtered: [
    { error: { code: "content_filter", param: "prompt", message: "Filtered." } },
    { error: { code: 400, innererror: { code: "ResponsibleAIPolicyViolation" } } },
    { error: { message: "litellm.ContentPolicyViolationError: no.", code: "400" } },
    { error: { message: "Invalid prompt: your prompt was flagged as potentially violating.", code: "invalid_prompt" } },
    { error: { message: "No.", code: "cyber_policy" } },
    { error: { message: "Your request was rejected by the safety system.", code: null } },
    { error: { message: "Content Exists Risk", type: "invalid_request_error" } },
    { error: { message: "系统检测到输入或生成内容可能包含不安全或敏感内容", code: "1301" } },
    { error: { code: 403, message: 'Your input was flagged for "violence".', metadata: { flagged_input: "…" } } },
    { code: "DataInspectionFailed", message: "Input data may contain inappropriate content." },
    { error: { message: `upstream: 400 ${JSON.stringify({ error: { code: "sensitive_words_detected" } })}` } },
  ],
  modelNotFound: [
    { error: "model_not_found" },
    { error: { code: "model_not_found", param: "tools", message: "No." } },
    { error: true, code: "model_not_found", message: "No." },
    { error: "Not Found", message: "model_not_found: image-2" },
    { detail: "Error code: 404 - {'error': {'message': 'No.', 'code': 'model_not_found'}}" },
  ],
};

describe("the kind of an error", () => {
  it("is known after 5 s at the most, although its body never ends", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const answer = answerOf(["No."], "text/plain", "stays open");
      let isClosed = false;
      const close = (): void => {
        isClosed = true;
        answer.close();
      };
      const error = errorAnswer({ ...answer, status: 403, close }, 0);
      await setImmediate();
      mock.timers.tick(4_999);
      assert.equal(isClosed, false);
      mock.timers.tick(1);
      const { kind, gatewayMessage } = await error;
      assert.deepEqual([kind, gatewayMessage], ["forbidden", "No."]);
    } finally {
      mock.timers.reset();
    }
  });

  it("is a missing model by the words of a 404 that says so, and a missing path otherwise", async () => {
    const words: Readonly<Record<string, string>> = {
      "The model `gpt-5.9` does not exist.": "modelNotFound",
      'model "gpt-5.9" not found, try pulling it first': "modelNotFound",
      "模型 gpt-5.9 不存在": "modelNotFound",
      "Not Found": "notFound",
      "Invalid URL (POST /v1/v1/chat/completions)": "notFound",
      "This model is only supported in v1/responses": "notFound",
    };
    for (const [message, kind] of Object.entries(words)) {
      assert.equal((await answered(404, { error: { message, code: 404 } })).kind, kind);
      assert.equal((await answered(400, { error: { message } })).kind, "rejected");
    }
  });

  it("is about no field where a service writes a word, a number, or a dash in its place", async () => {
    for (const param of ["None", "400", "-"]) {
      for (const [message, expected] of [
        ["This model's maximum context length is 8000 tokens.", "contextTooLong"],
        ["model_not_found: gpt-9", "modelNotFound"],
      ] as const) {
        const { kind, field } = await answered(400, { error: { message, param, type: "upstream_error" } });
        assert.deepEqual([kind, field], [expected, undefined]);
      }
    }
  });

  for (const body of aboutFields) {
    it(`is not what it quotes: ${JSON.stringify(body).slice(0, 90)}`, async () => {
      const { kind, field } = await answered(422, body);
      assert.deepEqual([kind, field], ["rejected", "stream"]);
    });
  }
  for (const message of unnamed) {
    it(`is not what it quotes: ${message.slice(0, 90)}`, async () => {
      for (const error of [message, { message, type: "invalid_request_error" }]) {
        assert.equal((await answered(400, { error })).kind, "rejected");
        assert.equal(bodyFailure({ error })?.kind, "rejected");
      }
      assert.equal((await answered(400, message)).kind, "rejected");
    });
  }
  for (const [kind, bodies] of Object.entries(own)) {
    for (const body of bodies) {
      it(`is ${kind}: ${JSON.stringify(body).slice(0, 90)}`, async () => {
        for (const status of [400, 403, 500]) assert.equal((await answered(status, body)).kind, kind);
        assert.equal(bodyFailure({ ...body }, "error")?.kind, kind);
      });
    }
  }
});
