import { isRecord } from "./gateway/json.ts";

/** A tool result: the id of its call, and its text. */
type Result = readonly [id: string, text: string];

/** The tool results in the body of a question, in order and through either API, as items of a list or as text. */
export function resultsIn(body: unknown): readonly Result[] {
  const { input, messages } = isRecord(body) ? body : {};
  if (typeof input === "string") return resultsInText(input);
  const items: unknown = input ?? messages;
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown): Result[] => {
    if (!isRecord(item)) return [];
    if (item.type === "function_call_output") return [[String(item.call_id), String(item.output)]];
    return item.role === "tool" ? [[String(item.tool_call_id), String(item.content)]] : [];
  });
}

const result =
  /^Tool:\nResult of the tool call (\S+):\n([^]*?)(?=\n\n(?:Instructions|User|Assistant|Tool):\n|$(?![^]))/gm;

function resultsInText(text: string): readonly Result[] {
  return [...text.matchAll(result)].map(([, id = "", content = ""]) => [id, content]);
}
