import assert from "node:assert/strict";
import { bodyFailure } from "../../../src/gateway/wire/errorAnswer.ts";
import { promptLengthIn } from "../../../src/gateway/wire/promptLength.ts";
import { assertLinear } from "../../support/assertLinear.ts";
import { answered } from "./answerOf.ts";

/**
 * From public reports of OpenAI, Azure, LiteLLM, vLLM, OpenRouter, Gemini, GitHub and Chinese services: the limit in the error, its scope, and the error.
 */
const tooLong = String.raw`
272000 context | {"type":"invalid_request_error","param":"messages","code":"context_length_exceeded","message":"This model's maximum context length is 272000 tokens. However, your messages resulted in 310250 tokens. Please reduce the length of the messages."}
- - | {"message":"Invalid 'messages[17].content': string too long. Expected a string with maximum length 1048576, but got a string with length 1744259 instead."}
- - | {"code":"array_above_max_length","message":"Invalid 'messages': array too long. Expected an array with maximum length 2048."}
272000 input | Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens. Please reduce the length of the messages.
- - | {"type":"ContextWindowExceededError","code":"400","message":"It exceeds."}
262144 context | {"object":"error","type":"BadRequestError","param":"input_tokens","code":400,"message":"This model's maximum context length is 262144 tokens. However, your request has 300000 input tokens. Please reduce the length of the input messages."}
4096 context | The prompt (total length 25938) is too long to fit into the model (context length 4096). Make sure that 'max_model_len' is no smaller than the number of text tokens.
- - | {"message":"Error from provider: {\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"No.\"}}"}
1048576 input | {"code":400,"status":"INVALID_ARGUMENT","message":"The input token count (1200293) exceeds the maximum number of tokens allowed (1048576)."}
90000 input | {"message":"prompt token count of 93854 exceeds the limit of 90000","param":"","code":"","type":""}
8000 input | {"code":"tokens_limit_reached","message":"Request body too large for gpt-4o model. Max size: 8000 tokens."}
- - | {"code":"1261","message":"Prompt 超长"}
- - | 输入长度超过最大长度
128000 context | 上下文长度超过限制，模型上下文最大为 128,000 个 token
65536 input | 请求的 token 数超过模型上限 65536
- - | 提示词过长，请缩短后重试 (request id: 202608201028d9d6afpy58kc)
131072 input | This model's maximum prompt length is 131072 but the request contains 200000 tokens.
131072 input | Invalid request: Your request exceeded model token limit: 131072 (requested: 150000)
8192 context | The input (9000 tokens) is longer than the model's context length (8192 tokens).
- - | invalid params, context window exceeds limit (2013)
- - | This model's maximum context length is 12 tokens.
`;

/** Errors about something else. */
const otherwise = String.raw`
'max_tokens' or 'max_completion_tokens' is too large: 163840. This model's maximum context length is 4096 tokens and your request has 3000 input tokens.
{"message":"400 {\"error\":{\"param\":\"max_tokens\",\"message\":\"The maximum context length is 4096 tokens.\"}}"}
Rate limit reached for gpt-5.4 on tokens per min (TPM): Limit 10000, Used 9000, Requested 2000.
输入 token 每分钟超过限制
该令牌额度已用尽，token 额度超过上限
{"code":"string_above_max_length","param":"input[95].call_id","message":"Invalid 'input[95].call_id': string too long."}
{"code":"array_above_max_length","param":"tools","message":"Invalid 'tools': array too long."}
{"code":"string_above_max_length","message":"It is too long."}
Unsupported value: 'context_window' is not supported with this model.
{"param":"messages","message":"Image size exceeds the maximum of 20 MB."}
`;

const linesOf = (table: string): readonly string[] => table.split("\n").filter((line) => line !== "");
const errorIn = (text: string): string | object => (text.startsWith("{") ? (JSON.parse(text) as object) : text);

describe("a prompt that is too long", () => {
  for (const line of linesOf(tooLong)) {
    const [expected = "", text = ""] = line.split(" | ");
    it(`is recognized: ${text.slice(0, 110)}`, async () => {
      const error = errorIn(text);
      const inAnswer = typeof error === "string" ? { error: { message: error } } : { error };
      const failures = [
        ...(await Promise.all([400, 413, 500].map((status) => answered(status, inAnswer)))),
        await answered(400, typeof error === "string" ? `Error: ${error}` : error),
        bodyFailure(inAnswer),
        bodyFailure({ response: inAnswer }),
        bodyFailure({ error }),
        bodyFailure(typeof error === "string" ? { message: error } : { ...error }, "error"),
      ];
      for (const failure of failures) {
        const { kind, tokenLimit = "-", limits = "-" } = failure ?? {};
        assert.deepEqual([kind, `${tokenLimit} ${limits}`], ["contextTooLong", expected]);
      }
    });
  }

  for (const text of linesOf(otherwise)) {
    it(`is not the cause: ${text.slice(0, 110)}`, async () => {
      const error = errorIn(text);
      const inAnswer = typeof error === "string" ? { error: { message: error } } : { error };
      for (const failure of [await answered(400, inAnswer), await answered(400, error), bodyFailure(inAnswer)]) {
        assert.deepEqual([failure?.kind, failure?.tokenLimit], ["rejected", undefined]);
      }
    });
  }

  it("is the meaning of a 413, also as a web page", async () => {
    const groq =
      "Request too large on tokens per minute (TPM): Limit 6000, Requested 7591, please reduce your message size";
    for (const body of ["", "{}", "Request Entity Too Large", { error: { message: groq } }]) {
      const { kind, tokenLimit } = await answered(413, body);
      assert.deepEqual([kind, tokenLimit], ["contextTooLong", undefined]);
    }
    const page = "<html><title>413 Request Entity Too Large</title></html>";
    const { kind, ...told } = await answered(413, page);
    const title = "413 Request Entity Too Large";
    assert.deepEqual([kind, told.page, told.gatewayMessage], ["contextTooLong", title, title]);
  });

  it("is not the cause in an answer with a status of its own", async () => {
    const error = { message: "This model's maximum context length is 8192 tokens." };
    const failures = await Promise.all([401, 403, 404, 429, 503, 529].map((status) => answered(status, { error })));
    const kinds = failures.map(({ kind }) => kind);
    assert.deepEqual(kinds, ["unauthorized", "forbidden", "notFound", "rateLimited", "overloaded", "overloaded"]);
    assert.equal(bodyFailure({ error: { ...error, code: "rate_limit_exceeded" } })?.kind, "rateLimited");
    assert.equal((await answered(400, `<html><title>${error.message}</title></html>`)).kind, "badGateway");
  });

  it("takes linear time", () => {
    for (const text of ["prompt a ", "'messages[", "max_tokens or ", "超上下文", "1 + 1 > ", "input exceed 1,"]) {
      assertLinear((size) => {
        for (let at = 0; at < size; at += 1) promptLengthIn([{ message: text.repeat(4_000 / text.length) }], true);
      }, 20);
      const long = promptLengthIn([{ message: text.repeat(1_000_000) }], true);
      assert.ok(long === undefined || typeof long === "object");
    }
  });
});
