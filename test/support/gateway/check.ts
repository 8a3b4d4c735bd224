import { isRecord } from "./json.ts";
import type { Fault, ImageHostFault, ImageHostModes, Modes } from "./types.ts";

type Check = (value: unknown) => boolean;

const isNumber: Check = (value) => typeof value === "number";
const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const oneOf =
  (...choices: readonly unknown[]): Check =>
  (value) =>
    choices.includes(value);
const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
const optional = (check: Check): Check => either(oneOf(undefined), check);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isTexts: Check = (value) => isRecord(value) && Object.values(value).every(isText);

/** Whether a value is a `Fault`. */
export const isFault = shapeOf<Fault>({
  operation: optional(oneOf("chat", "responses", "image", "models", "any")),
  status: optional(isNumber),
  code: optional(isText),
  message: optional(isText),
  shape: optional(oneOf("openai", "flat", "text", "detail", "plain", "html")),
  body: optional(isText),
  retryAfter: optional(either(isNumber, isText)),
  headers: optional(isTexts),
  broken: optional(
    oneOf("closed", "reset", "silent", "empty", "html", "jsonError", "cut", "unfinished", "errorEvent", "stalled"),
  ),
  after: optional(isNumber),
  image: optional(oneOf("noData", "emptyData", "noUrl", "inline", "several")),
});

/** Whether a value is a `Partial<Modes>`. */
export const isModes = shapeOf<Partial<Modes>>({
  strict: optional(isFlag),
  responsesOnly: optional(either(oneOf("none", "all", "tools"), listOf(isText))),
  inputList: optional(isFlag),
  refuses: optional(listOf(isText)),
  errorShape: optional(oneOf("openai", "flat", "text", "detail", "plain", "html", "rotate")),
  requestId: optional(isFlag),
  modelList: optional(isFlag),
  forbidden: optional(listOf(oneOf("codex", "image"))),
  imageAccountBound: optional(isFlag),
  modelNotFoundStatus: optional(isNumber),
  sizes: optional(listOf(isText)),
  ignoresStream: optional(isFlag),
  reasoning: optional(isFlag),
  usage: optional(isFlag),
  finish: optional(oneOf("stop", "length", "content_filter")),
  headerDelay: optional(isNumber),
  chunkDelay: optional(isNumber),
  chunks: optional(isNumber),
  hold: optional(oneOf("no", "beforeHeaders", "midAnswer")),
});

/** Whether a value is an `ImageHostFault`. */
export const isImageHostFault = shapeOf<ImageHostFault>({
  status: optional(isNumber),
  broken: optional(oneOf("closed", "silent", "empty", "html", "cut", "stalled")),
  type: optional(oneOf("jpeg", "webp")),
});

/** Whether a value is a `Partial<ImageHostModes>`. */
export const isImageHostModes = shapeOf<Partial<ImageHostModes>>({
  redirects: optional(either(isNumber, oneOf("loop"))),
  redirectTo: optional(isText),
  delay: optional(isNumber),
  chunkDelay: optional(isNumber),
});

/** Creates a check for objects with only these fields, so that misspelled ones are detected. */
function shapeOf<T extends object>(fields: Readonly<Record<keyof T & string, Check>>): (value: unknown) => value is T {
  const checks: Readonly<Record<string, Check>> = fields;
  return (value): value is T =>
    isRecord(value) &&
    Object.keys(value).every((name) => name in checks) &&
    Object.entries(checks).every(([name, check]) => check(value[name]));
}
