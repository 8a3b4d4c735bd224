import { UserError } from "../failures/userError.ts";
import type { ChatMessage, Gateway } from "../gateway/types.ts";
import type { Settings } from "../settings/settings.ts";
import { modelOf } from "../settings/tokenLimits.ts";
import { estimateTokens } from "../text/estimateTokens.ts";
import { cutText } from "../text/lines.ts";
import { fenceAround } from "../text/markdown.ts";
import { quote } from "../text/safeText.ts";
import type { TokenCounter } from "../text/tokenCounter.ts";
import type { WindowSecrets } from "../text/secrets/windowSecrets.ts";
import type { DescribedChange, DescribedChanges } from "./describeChanges.ts";

/** The services that a request about changes needs. */
export interface AskServices {
  readonly gateway: Pick<Gateway, "ask">;
  readonly settings: () => Settings;
  readonly tokens: Pick<TokenCounter, "room">;
  readonly secrets: WindowSecrets;
}

/** A request with a prompt of at most `most` tokens, and no more than the feature's model takes. */
export function requestFor<Prompt extends Pick<ChangesPrompt, "messages">>(
  { settings: currentSettings, tokens }: AskServices,
  { feature, most }: { readonly feature: "commitMessage" | "review"; readonly most: number },
  build: (budget: number) => Prompt | undefined,
): { readonly prompt: Prompt; readonly request: Parameters<Gateway["ask"]>[0] } {
  const settings = currentSettings();
  const { id: model, maxInputTokens, reasoningEffort } = modelOf(settings[`${feature}Model`], settings);
  const prompt = build(Math.min(tokens.room(model, maxInputTokens), most));
  if (!prompt) throw new UserError("changesTooLong", { subject: quote(model) });
  return { prompt, request: { api: settings.chatApi, model, messages: prompt.messages, reasoningEffort, feature } };
}

/** The part of a diff that is sent. */
export interface SentDiff {
  readonly file: DescribedChange;
  /** Its first lines, of which long ones are cut. */
  readonly lines: readonly string[];
  /** Whether lines are missing or cut. */
  readonly isCut: boolean;
}

/** A request about changes, and the diffs in it. */
export interface ChangesPrompt {
  readonly messages: readonly ChatMessage[];
  readonly diffs: readonly SentDiff[];
}

/** Maximum tokens of the list of files. */
const perList = 2_000;

/** Maximum length of a line, in characters. */
const longestLine = 400;

/** Tokens of the separators between parts, and of the note about files that are only counted. */
const separators = 80;

/** Tokens of a diff besides its name and lines: fence, heading and note. */
const frame = 30;

/** Tokens of the shortest diff that says something, with its frame. */
const usefulCost = 120;

/**
 * Builds a request about changes in at most `budget` tokens, as `estimateTokens` counts them: the rules, the list of
 * files, their diffs of at most `perFile` tokens each, and other parts, which are never cut. `undefined` if not even the
 * rules and the first file fit.
 */
export function buildChangesPrompt(
  changes: DescribedChanges,
  { rules, others, perFile }: { readonly rules: string; readonly others: readonly string[]; readonly perFile: number },
  budget: number,
): ChangesPrompt | undefined {
  let remaining = budget - estimateTokens(rules) - estimateTokens(others.join("\n\n")) - separators;
  const list = fileList(changes, Math.min(perList, Math.floor(remaining / 3)));
  if (list === undefined) return undefined;
  remaining -= estimateTokens(list);
  const sized = changes.files.map(sizedDiff);
  for (let room = remaining; ;) {
    const diffs = fitDiffs(sized, room, perFile);
    const content = [list, ...diffs.filter(({ lines }) => lines.length > 0).map(diffText), ...others].join("\n\n");
    // The sum of the parts is only an estimate of the whole: long fences, for example, cost more.
    const excess = estimateTokens(rules) + estimateTokens(content) - budget;
    if (excess <= 0) {
      const messages = [
        { role: "system" as const, content: rules },
        { role: "user" as const, content },
      ];
      return { messages, diffs };
    }
    if (room <= 0) return undefined;
    room -= excess + separators;
  }
}

/** The diff of a file, of which long lines are cut, and its tokens. */
function sizedDiff(file: DescribedChange) {
  const lines = file.diff.map((line) => (line.length > longestLine ? `${cutText(line, longestLine)}…` : line));
  return { file, lines, size: lines.reduce((sum, line) => sum + lineTokens(line), 0) };
}

/** Fits diffs into `budget` tokens, each into `perFile`. The largest are cut first, all to the same size. */
function fitDiffs(all: readonly ReturnType<typeof sizedDiff>[], budget: number, perFile: number): readonly SentDiff[] {
  const withDiff = all.filter(({ lines }) => lines.length > 0);
  // Some lines of the first files are worth more than one line of each.
  const some = withDiff.slice(0, Math.max(0, Math.floor(budget / usefulCost)));
  const fitted = new Map<DescribedChange, readonly string[]>();
  let remaining = budget;
  for (const [index, { file, lines, size }] of some.toSorted((one, other) => one.size - other.size).entries()) {
    const head = lineTokens(file.name) + frame;
    const room = Math.min(perFile, remaining / (some.length - index) - head);
    fitted.set(file, firstLines(lines, room));
    remaining -= head + Math.min(room, size);
  }
  return withDiff.map(({ file }) => {
    const lines = fitted.get(file) ?? [];
    const isCut = lines.length < file.diff.length || file.diff.some((line) => line.length > longestLine);
    return { file, lines, isCut };
  });
}

function firstLines(lines: readonly string[], budget: number): readonly string[] {
  let remaining = budget;
  const end = lines.findIndex((line) => (remaining -= lineTokens(line)) < 0);
  return end < 0 ? lines : lines.slice(0, end);
}

/** Tokens of a line with its line break. */
function lineTokens(line: string): number {
  return estimateTokens(`${line}\n`);
}

function diffText({ file, lines }: SentDiff): string {
  const note = lines.length < file.diff.length ? " (cut: only its beginning)" : "";
  return fenced(`Diff of ${file.name}${note}:`, lines, "diff");
}

/** The files, one line each, in about `budget` tokens; `undefined` if not even one fits. */
function fileList({ isStaged, files, secretFiles }: DescribedChanges, budget: number): string | undefined {
  const heading = isStaged ? "Staged changes:" : "Changes (nothing is staged):";
  // A name takes at most a quarter of the list.
  const longest = Math.max(100, Math.floor(budget / 4));
  const all = files.map(({ line }) => `- ${line.length > longest ? `${cutText(line, longest)}…` : line}`);
  const lines = firstLines(all, budget - lineTokens(heading));
  if (lines.length === 0 && files.length > 0) return undefined;
  const unnamed = files.length - lines.length;
  return [
    heading,
    ...lines,
    ...(unnamed > 0 ? [`- and ${unnamed} more files`] : []),
    ...(secretFiles > 0 ? [`- and ${secretFiles} files that are withheld`] : []),
  ].join("\n");
}

/** Lines of text or of a diff as a fenced block, whose fence is longer than any in the lines. */
export function fenced(heading: string, lines: readonly string[], language = ""): string {
  const fence = fenceAround(lines.map((line) => line.replace(/^[+-]/, "")));
  return [heading, `${fence}${language}`, ...lines, fence].join("\n");
}
