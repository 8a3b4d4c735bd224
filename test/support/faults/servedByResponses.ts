/** Error messages of gateways about a model, or about tools, that they serve through responses only. */
interface Saying {
  readonly message: string;
  readonly code?: string;
  readonly unserved: "model" | "tools";
}

const ofModels = [
  "This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?",
  "The requested operation is unsupported.",
  "litellm.BadRequestError: OpenAIException - This model is only supported in v1/responses and not in v1/chat/completions.. Received Model Group=openai/gpt-5-codex",
  "Unsupported legacy protocol: /v1/chat/completions is not supported. Please use /v1/responses.",
  "GPT-5 Pro is only available through the /v1/responses endpoint",
  "Cannot use model gpt-5.4-pro as it is only supported by the Responses API.",
  "This model requires the Responses API.",
  "Chat Completions API is not supported for this model",
  "gpt-5-codex is available only via responses",
  "模型 gpt-5.3-codex 不支持 /v1/chat/completions 接口，请使用 /v1/responses",
  "当前模型仅支持 Responses API",
  "该模型不支持 chat/completions",
];
const ofTools = [
  "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.",
  "Function tools with reasoning_effort are not supported for gpt-5.6-luna in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
];

export const servedByResponses: readonly [Saying, ...Saying[]] = [
  { message: "This model is only supported in v1/responses and not in v1/chat/completions.", unserved: "model" },
  ...ofModels.map((message) => ({ message, unserved: "model" }) as const),
  ...ofTools.map((message) => ({ message, unserved: "tools" }) as const),
  {
    message: 'model "gpt-5.3-codex" is not accessible via the /chat/completions endpoint',
    code: "unsupported_api_for_model",
    unserved: "model",
  },
  { message: "No.", code: "unsupported_api_for_model", unserved: "model" },
  {
    message:
      "The chatCompletion operation does not work with the specified model, gpt-5.1-codex. Please choose different model and try again.",
    code: "OperationNotSupported",
    unserved: "model",
  },
];
