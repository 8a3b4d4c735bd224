import assert from "node:assert/strict";
import fc from "fast-check";
import type { GatewayError, GatewayErrorKind } from "../../../src/gateway/errors.ts";
import type { HttpBody } from "../../../src/gateway/network/exchange.ts";
import { bodyFailure } from "../../../src/gateway/wire/errorAnswer.ts";
import { errorAnswer } from "../../../src/gateway/wire/errorAnswer.ts";
import { promptLengthIn } from "../../../src/gateway/wire/promptLength.ts";
import { tokenLimitIn } from "../../../src/gateway/wire/tokenLimit.ts";
import { assertLinear } from "../../support/assertLinear.ts";

/** An error, and the limit in it, what that is for, and the tokens of the prompt. */
type TooLong = readonly [
  error: string | object,
  limit?: number | undefined,
  limits?: "context" | "input" | undefined,
  asked?: number,
];

const openAi = { type: "invalid_request_error", param: "messages", code: "context_length_exceeded" };
const raw = "input length and `max_tokens` exceed context limit: 149674 + 64000 > 204658, decrease input length";

/** As seen in public reports, by service. */
const tooLong: readonly TooLong[] = [
  // OpenAI
  [
    {
      ...openAi,
      message:
        "This model's maximum context length is 272000 tokens. However, your messages resulted in 310250 tokens. Please reduce the length of the messages.",
    },
    272_000,
    "context",
    310_250,
  ],
  [
    {
      ...openAi,
      param: null,
      message:
        "This model's maximum context length is 128000 tokens. However, you requested 1124171 tokens (124171 in the messages, 1000000 in the completion). Please reduce the length of the messages or completion.",
    },
    128_000,
    "context",
    1_124_171,
  ],
  [
    {
      ...openAi,
      param: "input",
      message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
    },
  ],
  [{ type: "invalid_request_error", code: "context_length_exceeded" }],
  ["Your input exceeds the context window of this model. Please adjust your input and try again."],
  [
    {
      param: "input[0].content",
      code: "string_above_max_length",
      message:
        "Invalid 'input[0].content': string too long. Expected a string with maximum length 10485760, but got a string with length 62114761 instead.",
    },
  ],
  [
    {
      message:
        "Invalid 'messages[17].content': string too long. Expected a string with maximum length 1048576, but got a string with length 1744259 instead.",
    },
  ],
  [
    {
      code: "array_above_max_length",
      message: "Invalid 'messages': array too long. Expected an array with maximum length 2048.",
    },
  ],
  [
    "This model's maximum context length is 8191 tokens, however you requested 8238 tokens (8238 in your prompt; 0 for the completion). Please reduce your prompt; or completion length.",
    8_191,
    "context",
    8_238,
  ],
  // Azure
  [
    "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens. Please reduce the length of the messages.",
    272_000,
    "input",
    509_178,
  ],
  // LiteLLM and what it passes on
  [
    "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - This model's maximum context length is 13500 tokens. However, you requested 14032 tokens (9936 in the messages, 4096 in the completion).",
    13_500,
    "context",
    14_032,
  ],
  [{ type: "ContextWindowExceededError", code: "400", message: "It exceeds." }],
  [
    "Requested token count exceeds the model's maximum context length of 163840 tokens. You requested a total of 183491 tokens: 19651 tokens from the input messages and 163840 tokens for the completion.",
    163_840,
    "context",
    183_491,
  ],
  // vLLM
  [
    {
      object: "error",
      type: "BadRequestError",
      param: "input_tokens",
      code: 400,
      message:
        "This model's maximum context length is 262144 tokens. However, your request has 300000 input tokens. Please reduce the length of the input messages.",
    },
    262_144,
    "context",
    300_000,
  ],
  ["Input prompt (9762 tokens) is too long and exceeds limit of 8192", 8_192, "input", 9_762],
  [
    "The prompt (total length 25938) is too long to fit into the model (context length 4096). Make sure that `max_model_len` is no smaller than the number of text tokens.",
    4_096,
    "context",
    25_938,
  ],
  [
    "The decoder prompt (length 45000) is longer than the maximum model length of 32768. Make sure that `max_model_len` is no smaller.",
    32_768,
    "context",
    45_000,
  ],
  // SGLang
  [
    { object: "error", message: "The input (61709 tokens) is longer than the model's context length (40960 tokens)." },
    40_960,
    "context",
    61_709,
  ],
  ["Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).", 59_862, "input", 160_062],
  // llama.cpp and llama-cpp-python
  [
    {
      code: 400,
      message: "the request exceeds the available context size. try increasing the context size",
      type: "exceed_context_size_error",
      n_prompt_tokens: 14_429,
      n_ctx: 8_192,
    },
    8_192,
    "context",
    14_429,
  ],
  ["the request exceeds the available context size, try increasing it"],
  [
    "request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it",
    8_192,
    "context",
    14_429,
  ],
  ["Requested tokens (2285) exceed context window of 2048", 2_048, "context", 2_285],
  // LM Studio
  [
    "Trying to keep the first 15000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. The prompt is too long.",
    4_096,
    "context",
    15_000,
  ],
  // OpenRouter
  [
    'This endpoint\'s maximum context length is 131072 tokens. However, you requested about 141607 tokens (10535 of text input, 131072 in the output). Please reduce the length of either one, or use the "middle-out" transform.',
    131_072,
    "context",
    141_607,
  ],
  [
    { message: "Provider returned error", code: 400, metadata: { raw: JSON.stringify({ message: raw }) } },
    204_658,
    "context",
    213_674,
  ],
  // Anthropic, through gateways
  [
    { type: "invalid_request_error", message: "prompt is too long: 1000788 tokens > 1000000 maximum" },
    1_000_000,
    "input",
    1_000_788,
  ],
  [
    "input length and max_tokens exceed context limit: 198981 + 21333 > 200000, decrease input length or max_tokens and try again",
    200_000,
    "context",
    220_314,
  ],
  [
    {
      message: `Error from provider: ${JSON.stringify({ error: { code: "context_length_exceeded", message: "No." } })}`,
    },
  ],
  [{ type: "request_too_large", message: "Request exceeds the maximum size" }],
  // Bedrock, Gemini, GitHub
  ["Input is too long for requested model."],
  [
    {
      code: 400,
      status: "INVALID_ARGUMENT",
      message: "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
    },
    1_048_576,
    "input",
    1_200_293,
  ],
  [
    { message: "prompt token count of 93854 exceeds the limit of 90000", param: "", code: "", type: "" },
    90_000,
    "input",
    93_854,
  ],
  [
    { code: "tokens_limit_reached", message: "Request body too large for gpt-4o model. Max size: 8000 tokens." },
    8_000,
    "input",
  ],
  // Chinese services, and one-api or new-api in front of them
  [{ type: "upstream_error", message: "Range of input length should be [1, 30720]" }, 30_720, "input"],
  ["<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 6000]", 6_000, "input"],
  ["Invalid request: Your request exceeded model token limit: 8192", 8_192, "context"],
  ["model max length exceeded, max length:8192", 8_192, "context"],
  ["Total tokens of image and text exceed max message tokens"],
  [{ code: "1261", message: "Prompt 超长" }],
  ["输入长度超过最大长度"],
  ["超过模型最大上下文长度"],
  ["上下文长度超过限制，模型上下文最大为 128,000 个 token", 128_000, "context"],
  ["请求的 token 数超过模型上限 65536", 65_536, "input"],
  ["提示词过长，请缩短后重试 (request id: 202608201028d9d6afpy58kc)"],
  // Other spellings of a number
  ["The conversation exceeds the context window of 128,000 tokens.", 128_000, "context"],
  ["The prompt exceeds the context window of 128k.", 128_000, "context"],
  ["The prompt exceeds the context window of 1M tokens.", 1_000_000, "context"],
  // Numbers that cannot be a limit
  ["This model's maximum context length is 12 tokens."],
  ["This model's maximum context length is 999999999999 tokens."],
  ["This model's maximum context length is -4096 tokens."],
  ["This model's maximum context length is 0x4000 tokens."],
  [{ type: "exceed_context_size_error", n_ctx: -8_192, n_prompt_tokens: 9_000 }, undefined, undefined, 9_000],
  [{ type: "exceed_context_size_error", n_ctx: 8_192, n_prompt_tokens: 300 }, undefined, undefined, 300],
];

/** Errors about something else, with the kind that a status 400 or a 200 gives them. */
const otherwise: readonly (readonly [error: string | object, kind?: GatewayErrorKind])[] = [
  [
    {
      message: "max_tokens is too large: 100000. This model supports at most 16384 completion tokens.",
      param: "max_tokens",
    },
  ],
  ["max_tokens is too large: 100000. This model supports at most 16384 completion tokens."],
  [
    "'max_tokens' or 'max_completion_tokens' is too large: 163840. This model's maximum context length is 4096 tokens and your request has 3000 input tokens.",
  ],
  [{ param: "max_output_tokens", message: "The maximum context length is 4096 tokens." }],
  [
    {
      message: `400 ${JSON.stringify({ error: { param: "max_tokens", message: "The maximum context length is 4096 tokens." } })}`,
    },
  ],
  ["Too many requests. Please try again later."],
  ["Rate limit reached for gpt-5.4 on tokens per min (TPM): Limit 10000, Used 9000, Requested 2000."],
  ["Request too large for gpt-4 in organization org-x on tokens per min (TPM): Limit 10000, Requested 12000."],
  ["输入 token 每分钟超过限制"],
  ["该令牌额度已用尽，token 额度超过上限"],
  ["You exceeded your current quota, please check your plan and billing details."],
  [
    {
      code: "string_above_max_length",
      param: "input[95].call_id",
      message: "Invalid 'input[95].call_id': string too long.",
    },
  ],
  ["Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64."],
  [
    {
      code: "string_above_max_length",
      param: "messages[2].name",
      message: "Invalid 'messages[2].name': string too long.",
    },
  ],
  [{ code: "array_above_max_length", param: "tools", message: "Invalid 'tools': array too long." }],
  ["Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024."],
  [{ code: "string_above_max_length", message: "It is too long." }],
  ["Unknown parameter: 'stream'."],
  ["Missing required parameter: 'messages'."],
  ["Unsupported value: 'context_window' is not supported with this model."],
  [{ param: "messages", message: "Image size exceeds the maximum of 20 MB." }],
  [{ code: "model_not_found", message: "The maximum context length is 4096 tokens." }, "modelNotFound"],
];

function shown(error: string | object): string {
  return (typeof error === "string" ? error : JSON.stringify(error)).slice(0, 110);
}

async function answered(status: number, body: unknown): Promise<GatewayError> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return await errorAnswer({ status, headers: {}, body: bodyOf(text) }, 0);
}

function bodyOf(text: string): HttpBody {
  const chunks = [Buffer.from(text)].values();
  return {
    next: () => Promise.resolve(chunks.next()),
    return: () => Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

describe("a prompt that is too long", () => {
  for (const [error, limit, limits, asked] of tooLong) {
    it(`is recognized: ${shown(error)}`, async () => {
      const inAnswer = typeof error === "string" ? { error: { message: error } } : { error };
      const failures = [
        ...(await Promise.all([400, 422, 413, 500].map((status) => answered(status, inAnswer)))),
        await answered(400, typeof error === "string" ? `Error: ${error}` : error),
        bodyFailure(inAnswer),
        bodyFailure({ response: inAnswer }),
        bodyFailure({ error }),
        bodyFailure(typeof error === "string" ? { message: error } : { ...error }, "error"),
      ];
      for (const failure of failures) {
        const { kind, tokenLimit, limits: what, tokensAsked } = failure ?? {};
        assert.deepEqual([kind, tokenLimit, what, tokensAsked], ["contextTooLong", limit, limits, asked]);
      }
    });
  }

  for (const [error, kind = "rejected"] of otherwise) {
    it(`is not the cause: ${shown(error)}`, async () => {
      const inAnswer = typeof error === "string" ? { error: { message: error } } : { error };
      const failures = [await answered(400, inAnswer), await answered(400, error), bodyFailure(inAnswer)];
      for (const failure of failures) {
        assert.deepEqual([failure?.kind, failure?.tokenLimit], [kind, undefined]);
      }
    });
  }

  it("is what a 413 means, also as a web page", async () => {
    const groq =
      "Request too large on tokens per minute (TPM): Limit 6000, Requested 7591, please reduce your message size";
    for (const body of ["", "{}", "Request Entity Too Large", { error: { message: groq } }]) {
      const { kind, tokenLimit } = await answered(413, body);
      assert.deepEqual([kind, tokenLimit], ["contextTooLong", undefined]);
    }
    const page = "<html><title>413 Request Entity Too Large</title></html>";
    const { kind, page: title } = await answered(413, page);
    assert.deepEqual([kind, title], ["contextTooLong", "413 Request Entity Too Large"]);
  });

  it("is not what words about it say in an answer with a cause of its own", async () => {
    const error = { message: "This model's maximum context length is 8192 tokens." };
    const kinds = await Promise.all([401, 403, 404, 429, 503, 529].map((status) => answered(status, { error })));
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ["unauthorized", "forbidden", "notFound", "rateLimited", "overloaded", "overloaded"],
    );
    assert.equal(bodyFailure({ error: { ...error, code: "rate_limit_exceeded" } })?.kind, "rateLimited");
    assert.equal((await answered(400, `<html><title>${error.message}</title></html>`)).kind, "badGateway");
  });

  it("never has a limit beyond reason, whatever the gateway says", () => {
    const digits = fc.string({ unit: fc.constantFrom(...Array.from("0123456789,._-kKmM +>[]().")) });
    const words = fc.constantFrom(
      "context length is ",
      "context window of ",
      "exceeds the limit of ",
      "tokens > ",
      "上限 ",
    );
    fc.assert(
      fc.property(words, digits, digits, (before, one, other) => {
        const limit = tokenLimitIn(`${before}${one} tokens ${other}`)?.tokenLimit ?? 1_000;
        assert.ok(Number.isSafeInteger(limit) && limit >= 1_000 && limit <= 100_000_000, `${limit}`);
      }),
    );
  });

  it("takes linear time", () => {
    for (const text of [
      "prompt a ",
      "exceed context",
      "'messages[",
      "max_tokens or ",
      "超上下文",
      "1 + 1 > ",
      "input exceed 1,",
    ]) {
      assertLinear((size) => {
        for (let at = 0; at < size; at += 1) promptLengthIn({ message: text.repeat(4_000 / text.length) }, true);
      }, 20);
      const long = promptLengthIn({ message: text.repeat(1_000_000) }, true);
      assert.ok(long === undefined || typeof long === "object");
    }
  });
});
