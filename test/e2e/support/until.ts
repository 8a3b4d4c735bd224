import { until as probeUntil } from "../../support/until.ts";
import { matches, type TextPattern } from "./text.ts";

/** How long a person would wait for VS Code before giving up, in milliseconds. */
export const patience = 45_000;

/** Probes the window until the result is neither `undefined` nor `false`, and returns it. */
export async function until<T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  what: string,
  timeout = patience,
): Promise<T> {
  return probeUntil(probe, what, { timeout, interval: 50 });
}

/** Waits until a text is the expected one, and returns it. Rejects with what it was instead. */
export async function untilText(
  what: string,
  read: () => Promise<string>,
  expected: TextPattern,
  timeout?: number,
): Promise<string> {
  let text = "";
  const probe = async (): Promise<string | false> => {
    text = await read();
    return matches(text, expected) && text;
  };
  return until(probe, `${what} to have the text ${String(expected)}`, timeout).catch((cause: unknown) => {
    throw new Error(`${String(cause)} Its text: ${text}`, { cause });
  });
}
