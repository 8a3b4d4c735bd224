import type { KeyGroup } from "../../../src/gateway/types.ts";

/** What a window does in the test of several windows. */
export interface Plan {
  readonly folder: string;
  readonly settings: { readonly baseUrl: string; readonly backupBaseUrl: string };
  readonly keys: Readonly<Record<KeyGroup, string>>;
  readonly seed: number;
  /** The number of the run, which is in every question. */
  readonly run: number;
  readonly operations: number;
  readonly phases: readonly Phase[];
}

/** A state of the clock: a local time, and milliseconds to add, for the second of two equal hours. */
export interface Phase {
  readonly day: string;
  readonly time: string;
  readonly later?: number;
}

export const models = ["gpt-5.3-codex", "gpt-5.4", "gpt-5.5"] as const;

export const textFeatures = ["chat", "agent", "inline", "commitMessage", "aiFeature"] as const;

/** The beginning of a question, by which the gateway's records are counted. */
export function labelOf(run: number, day: string, feature: string): string {
  return `[${run} ${day} ${feature}]`;
}

/** What the beginning of a question says. */
export function readLabel(text: string): { readonly run: number; readonly day: string; readonly feature: string } {
  const [, run = "", day = "", feature = ""] = /^\[(\d+) (\S+) (\w+)\]/.exec(text) ?? [];
  return { run: Number(run), day, feature };
}
