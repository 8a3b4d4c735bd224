/** What gateways say of a model, or of tools, that they serve through responses only. */
export interface Saying {
  readonly message: string;
  readonly code?: string;
  readonly unserved: "model" | "tools";
}

export const servedByResponses: readonly [Saying, ...Saying[]] = [
  { message: "This model is only supported in v1/responses and not in v1/chat/completions.", unserved: "model" },
  {
    message:
      "This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?",
    unserved: "model",
  },
  {
    message:
      "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.",
    unserved: "tools",
  },
  {
    message:
      "Function tools with reasoning_effort are not supported for gpt-5.6-luna in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    unserved: "tools",
  },
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
  { message: "The requested operation is unsupported.", unserved: "model" },
  {
    message:
      "litellm.BadRequestError: OpenAIException - This model is only supported in v1/responses and not in v1/chat/completions.. Received Model Group=openai/gpt-5-codex",
    unserved: "model",
  },
  {
    message: "Unsupported legacy protocol: /v1/chat/completions is not supported. Please use /v1/responses.",
    unserved: "model",
  },
  { message: "GPT-5 Pro is only available through the /v1/responses endpoint", unserved: "model" },
  {
    message: "Cannot use model gpt-5.4-pro as it is only supported by the Responses API.",
    unserved: "model",
  },
  { message: "This model requires the Responses API.", unserved: "model" },
  { message: "Chat Completions API is not supported for this model", unserved: "model" },
  { message: "gpt-5-codex is available only via responses", unserved: "model" },
  { message: "模型 gpt-5.3-codex 不支持 /v1/chat/completions 接口，请使用 /v1/responses", unserved: "model" },
  { message: "当前模型仅支持 Responses API", unserved: "model" },
  { message: "该模型不支持 chat/completions", unserved: "model" },
];
