import { hash, randomUUID } from "node:crypto";
import type { AnswerPart, ChatMessage, ChatRequest, Gateway, Tool, ToolCall } from "../gateway/types.ts";
import { asObject, asText } from "../base/json.ts";
import { hasMask, maskRule } from "../text/secrets/placeholders.ts";
import type { WindowSecrets } from "../text/secrets/windowSecrets.ts";

/**
 * VS Code's tools that write their input into files of the workspace (VS Code 1.139.1). In their input, the values replace
 * placeholders, so that a secret stays in its file. Other tools, such as a terminal, get the placeholders.
 */
const writingTools: ReadonlySet<string> = new Set([
  "apply_patch",
  "create_file",
  "edit_notebook_file",
  "insert_edit_into_file",
  "multi_replace_string_in_file",
  "replace_string_in_file",
]);

/** Maximum number of tool calls that are stored as the model made them. */
const maxCalls = 2_000;

/**
 * The only access to the gateway. No text is sent with a secret that was found in a file of this window, except text that
 * a model wrote, which is sent back unchanged.
 */
export function guardGateway(gateway: Gateway, secrets: WindowSecrets): Gateway {
  const calls = new Map<string, ToolCall["input"]>();
  return {
    downloadImage: (...args) => gateway.downloadImage(...args),
    probe: (...args) => gateway.probe(...args),
    preconnect: (...args) => {
      gateway.preconnect(...args);
    },
    dispose: () => gateway.dispose(),
    async *ask(request, signal, observe): AsyncGenerator<AnswerPart, undefined> {
      const messages = await masked(request, secrets, calls);
      const tools = await maskedTools(request.tools ?? [], secrets);
      signal.throwIfAborted();
      let text = "";
      try {
        for await (const part of gateway.ask({ ...request, messages, tools }, signal, observe)) {
          if (part.type === "text") text += part.text;
          if (part.type !== "toolCall") yield part;
          else {
            text += `\n${textsIn(part.input).join("\n")}\n`;
            yield { ...part, input: restoredInput(part, secrets, calls) };
          }
        }
      } finally {
        await secrets.noteAnswer(text);
      }
    },
    generateImage: async (request, ...rest) =>
      gateway.generateImage({ ...request, prompt: await secrets.mask(request.prompt, randomUUID()) }, ...rest),
  };
}

/**
 * The messages with placeholders for secrets, except in what the model wrote itself. The first placeholder is explained.
 * `calls`: inputs of tool calls as the model wrote them, by the hash of what the tool got.
 */
async function masked(
  { messages, conversation = randomUUID() }: ChatRequest,
  secrets: WindowSecrets,
  calls: ReadonlyMap<string, ToolCall["input"]>,
): Promise<readonly ChatMessage[]> {
  const result: ChatMessage[] = [];
  let isExplained = false;
  for (const [index, message] of messages.entries()) {
    const source = `${conversation} ${index}`;
    if (message.role === "assistant") {
      const toolCalls: ToolCall[] = [];
      for (const [at, call] of (message.toolCalls ?? []).entries()) {
        const input = calls.get(digestOf(call)) ?? (await maskedInput(call.input, secrets, `${source} ${at}`));
        toolCalls.push({ ...call, input });
      }
      result.push(message.toolCalls ? { ...message, toolCalls } : message);
      continue;
    }
    const content = await secrets.mask(message.content, source);
    const explains: boolean = !isExplained && content !== message.content;
    isExplained ||= explains;
    result.push({ ...message, content: explains ? `${maskRule}\n\n${content}` : content });
  }
  return result;
}

/** The input of a call for its tool. The input that the model wrote is stored, and sent back with the result of the tool. */
function restoredInput(
  call: ToolCall,
  secrets: WindowSecrets,
  calls: Map<string, ToolCall["input"]>,
): ToolCall["input"] {
  const { name, input } = call;
  if (!writingTools.has(name) || !textsIn(input).some(hasMask)) return input;
  const restored = mapTexts(input, (text) => secrets.restore(text));
  calls.set(digestOf({ ...call, input: restored }), input);
  const [oldest] = calls.keys();
  if (calls.size > maxCalls && oldest !== undefined) calls.delete(oldest);
  return restored;
}

/** Identifies a call. Its id alone does not: some services count the calls of each answer from zero. */
function digestOf({ id, input }: ToolCall): string {
  return hash("sha256", `${id} ${JSON.stringify(input)}`);
}

/** The input of a call that is not stored. It may have secrets that an earlier window restored. */
async function maskedInput(
  input: ToolCall["input"],
  secrets: WindowSecrets,
  source: string,
): Promise<ToolCall["input"]> {
  for (const text of textsIn(input)) await secrets.learn(text);
  return await maskedTexts(input, secrets, source);
}

/** The tools with placeholders. What describes them may come from the settings of a server, with its password. */
async function maskedTools(tools: readonly Tool[], secrets: WindowSecrets): Promise<readonly Tool[]> {
  const result: Tool[] = [];
  for (const { name, ...texts } of tools) {
    const { description, inputSchema } = await maskedTexts(texts, secrets, `tool ${name}`);
    result.push({ name, description: asText(description) ?? "", inputSchema: asObject(inputSchema) });
  }
  return result;
}

async function maskedTexts(
  value: ToolCall["input"],
  secrets: WindowSecrets,
  source: string,
): Promise<ToolCall["input"]> {
  const texts = textsIn(value);
  if (!(await secrets.isIn(texts.join("\n")))) return value;
  const replaced = new Map<string, string>();
  for (const [index, text] of texts.entries()) replaced.set(text, await secrets.mask(text, `${source} ${index}`));
  return mapTexts(value, (text) => replaced.get(text) ?? text);
}

/** The input of a call with other texts. */
function mapTexts(input: ToolCall["input"], map: (text: string) => string): ToolCall["input"] {
  const mapped: unknown = JSON.parse(JSON.stringify(input), (_, value: unknown) =>
    typeof value === "string" ? map(value) : value,
  );
  return asObject(mapped) ?? input;
}

/** All texts in the input of a call. */
function textsIn(input: ToolCall["input"]): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(input, (_, value: unknown) => {
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return texts;
}
