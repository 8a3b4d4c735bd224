import type { Call, Conversation } from "./conversation.ts";

const order = /\bcall ([\w-]+) (\d+) times in sequence with (\{[^}]*\})/;

/**
 * The next call of a series: `call <tool> 30 times in sequence with {json}` calls that tool 30 times, each time after
 * the result of the call before. `#` in the JSON is the number of the call. Results in the form of text count, too.
 * Empty once all results are there; `undefined` if no series was asked for.
 */
export function nextInSeries({ turns, tools }: Conversation): readonly Call[] | undefined {
  const asked = turns.findLastIndex(({ role, text }) => role === "user" && order.test(text));
  const text = turns[asked]?.text ?? "";
  const match = order.exec(text);
  const [, name = "", times = "", input = ""] = match ?? [];
  if (match === null || !tools.some((tool) => tool.name === name)) return undefined;
  const asText = text.slice(match.index).match(/^Result of the tool call /gm) ?? [];
  const done = asText.length + turns.slice(asked).filter(({ role }) => role === "tool").length;
  if (done >= Number(times)) return [];
  const number = String(done + 1);
  return [{ id: `call_series_${number}`, name, input: input.replaceAll("#", number) }];
}
