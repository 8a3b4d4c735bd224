import { UserError } from "../failures/userError.ts";
import type { ChatMessage, Gateway } from "../gateway/types.ts";
import type { Settings } from "../settings/settings.ts";
import { modelOf } from "../settings/tokenLimits.ts";
import { estimateTokens, lineEnds } from "../prompts/estimateTokens.ts";
import { cutText } from "../text/lines.ts";
import { fenceAround } from "../text/markdown.ts";
import { quote } from "../text/safeText.ts";
import type { TokenCounter } from "../prompts/tokenCounter.ts";
import type { WindowSecrets } from "../text/secrets/windowSecrets.ts";
import type { DescribedChange, DescribedChanges } from "./describeChanges.ts";

/** The services that a request about changes needs. */
export interface AskServices {
  readonly gateway: Pick<Gateway, "ask">;
  readonly settings: () => Settings;
  readonly tokens: Pick<TokenCounter, "room">;
  readonly secrets: WindowSecrets;
}

/** Maximum tokens of a request, and of one file's diff in it. More cost more, without a better answer. */
const budgets = {
  commitMessage: { request: 24_000, diff: 4_000 },
  review: { request: 60_000, diff: 16_000 },
} as const;

type Feature = keyof typeof budgets;

/** A request with a prompt that fits the feature's budget and its model. */
export function requestFor<Prompt extends Pick<ChangesPrompt, "messages">>(
  { settings: currentSettings, tokens }: AskServices,
  feature: Feature,
  build: (budget: number) => Prompt | undefined,
): { readonly prompt: Prompt; readonly request: Parameters<Gateway["ask"]>[0] } {
  const settings = currentSettings();
  const { id: model, maxInputTokens, reasoningEffort } = modelOf(settings[`${feature}Model`], settings);
  const prompt = build(Math.min(tokens.room(model, maxInputTokens), budgets[feature].request));
  if (!prompt) throw new UserError("changesTooLong", { subject: quote(model) });
  return { prompt, request: { api: settings.chatApi, model, messages: prompt.messages, reasoningEffort, feature } };
}

/** The part of a diff that is sent. */
export interface SentDiff {
  readonly file: DescribedChange;
  /** Its first lines. Long lines are truncated. */
  readonly lines: readonly string[];
  readonly isCut: boolean;
}

/** A request about changes, and the diffs in it. */
export interface ChangesPrompt {
  readonly messages: readonly ChatMessage[];
  readonly diffs: readonly SentDiff[];
}

/** Maximum share of the list of files in the budget, and its maximum tokens. */
const fileListBudget = { share: 0.25, tokens: 2_000 };

/** Maximum length of a line, in characters. */
const maxLineLength = 400;

/** Tokens of the shortest useful diff, with its heading. */
const usefulCost = 120;

/**
 * Builds a request about changes in at most `budget` tokens, as `estimateTokens` counts them: the rules, the list of
 * files, their diffs, and other parts, which are never cut. The largest diffs are cut first, all to the same size.
 * `undefined` if not even the rules and the first file fit.
 */
export function buildChangesPrompt(
  feature: Feature,
  changes: DescribedChanges,
  { rules, others = [] }: { readonly rules: string; readonly others?: readonly string[] },
  budget: number,
): ChangesPrompt | undefined {
  const perFile = budgets[feature].diff;
  const room = budget - estimateTokens(rules);
  const names = fileList(changes, Math.min(fileListBudget.tokens, fileListBudget.share * budget));
  if (names === undefined) return undefined;
  const measured = changes.files.filter(({ diff }) => diff.length > 0).map((file) => measureDiff(file, perFile));
  // Some lines of the first files are worth more than one line of each.
  const withLines = measured.slice(0, Math.floor(budget / usefulCost));
  for (let limit = perFile; limit > 1; limit *= 0.95) {
    const tokens = withLines.reduce((sum, { ends }) => sum + Math.min(ends.at(-1) ?? 0, limit), 0);
    if (tokens > room) continue;
    const diffs = measured.map((one, index) => cutDiff(one, index < withLines.length ? limit : 0));
    const content = [names, ...diffs.filter(({ lines }) => lines.length > 0).map(diffText), ...others].join("\n\n");
    if (estimateTokens(content) > room) continue;
    const messages = [
      { role: "system" as const, content: rules },
      { role: "user" as const, content },
    ];
    return { messages, diffs };
  }
  return undefined;
}

/** The diff of a file, with its long lines truncated, and the tokens up to the end of each line. */
function measureDiff(file: DescribedChange, perFile: number) {
  const lines = file.diff.map((line) => (line.length > maxLineLength ? `${cutText(line, maxLineLength)}…` : line));
  return { file, lines, ends: lineEnds(lines, perFile) };
}

/** The first lines of a diff, in at most `limit` tokens. */
function cutDiff({ file, lines, ends }: ReturnType<typeof measureDiff>, limit: number): SentDiff {
  const count = ends.filter((end) => end <= limit).length;
  const isCut = count < lines.length || file.diff.some((line) => line.length > maxLineLength);
  return { file, lines: lines.slice(0, count), isCut };
}

function diffText({ file, lines }: SentDiff): string {
  const note = lines.length < file.diff.length ? " (cut: only its beginning)" : "";
  return fenced(`Diff of ${file.name}${note}:`, lines, "diff");
}

/** The files, one line each, in about `budget` tokens; `undefined` if not even one fits. */
function fileList({ isStaged, files, secretFiles }: DescribedChanges, budget: number): string | undefined {
  const all = files.map(({ line }) => `- ${line}`);
  const lines = all.slice(0, lineEnds(all, budget).length);
  if (lines.length === 0) return undefined;
  const unnamed = files.length - lines.length;
  return [
    isStaged ? "Staged changes:" : "Changes (nothing is staged):",
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
