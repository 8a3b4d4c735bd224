import { UserError } from "../../failures/userError.ts";
import type { Gateway, WaitingEvent } from "../../gateway/types.ts";
import { quote } from "../../text/safeText.ts";
import { type AskServices, requestFor } from "../changesPrompt.ts";
import { describeChanges } from "../describeChanges.ts";
import type { Repository } from "../repository.ts";
import { fileOf, placeFindings, type PlacedFindings, type ShownFile } from "./placeFindings.ts";
import { type ReadAnswer, readFindings } from "./readFindings.ts";
import { buildReviewPrompt, type SkippedFile } from "./reviewPrompt.ts";

/** The services that a review needs. */
export interface ReviewServices extends AskServices {
  /** The language of the findings. */
  readonly language: string;
  /** Reads the lines of a file in the repository as they are now, or nothing if it cannot be read. */
  readonly readLines: (path: string) => Promise<readonly string[] | undefined>;
  /** Whether a file that Git does not track stays closed, by its path in the repository. */
  readonly isClosed: (path: string) => Promise<boolean>;
  readonly observe: (event: WaitingEvent) => void;
}

/** What a review has found, and what it was about. */
export interface Review extends PlacedFindings, Pick<ReadAnswer, "others" | "left"> {
  readonly repository: Pick<Repository, "name" | "root">;
  readonly isStaged: boolean;
  /** Number of files of which the model has seen the diff. */
  readonly reviewed: number;
  readonly skipped: readonly SkippedFile[];
  /** Number of files that may hold secrets. */
  readonly secretFiles: number;
  /** Whether the model reached its output limit. */
  readonly isTruncated: boolean;
}

/** Maximum tokens of a request. */
const mostTokens = 60_000;

/** Characters after which an answer is not waited for any more. */
const longestAnswer = 100_000;

/** Asks for a review of the staged changes, or of all if nothing is staged, and finds a place for each finding. */
export async function reviewChanges(
  services: ReviewServices,
  repository: Repository,
  signal: AbortSignal,
): Promise<Review> {
  const found = repository.changes();
  const subject = quote(repository.name);
  if (found.changes.length === 0) throw new UserError("nothingToReview", { subject });
  const described = await describeChanges(repository, found, signal, services.isClosed);
  if (described.files.length === 0) throw new UserError("onlySecretFiles", { subject });
  // A list of names has nothing to review.
  if (described.files.every(({ diff }) => diff.length === 0)) throw new UserError("nothingToReview", { subject });
  const { prompt, request } = requestFor(services, { feature: "review", most: mostTokens }, (budget) =>
    buildReviewPrompt(described, services.language, budget),
  );
  const { answer, isTruncated } = await receive(services, request, signal);
  const read = readFindings(answer);
  if (read.findings.length === 0 && isTruncated) throw new UserError("cutOff");
  if (read.findings.length === 0 && read.others.length === 0 && !read.saysNone) throw new UserError("noReview");
  const texts = new Map<ShownFile, readonly string[]>();
  for (const file of new Set(read.findings.flatMap((finding) => fileOf(finding, prompt.shown) ?? []))) {
    const lines = await services.readLines(file.path);
    if (lines) texts.set(file, lines);
  }
  signal.throwIfAborted();
  return {
    ...placeFindings(read.findings, prompt.shown, texts),
    others: read.others,
    left: read.left,
    repository,
    isStaged: found.isStaged,
    reviewed: prompt.shown.length,
    skipped: prompt.skipped,
    secretFiles: described.secretFiles,
    isTruncated,
  };
}

/** The whole answer, or as much of it as there is before a limit. */
async function receive(
  { gateway, observe }: ReviewServices,
  request: Parameters<Gateway["ask"]>[0],
  signal: AbortSignal,
): Promise<{ readonly answer: string; readonly isTruncated: boolean }> {
  let answer = "";
  for await (const part of gateway.ask(request, signal, observe)) {
    if (part.type === "finish" && part.reason === "contentFilter") throw new UserError("filtered");
    if (part.type === "finish" && part.reason === "length") return { answer, isTruncated: true };
    if (part.type === "text") answer += part.text;
    if (answer.length > longestAnswer) return { answer, isTruncated: true };
  }
  return { answer, isTruncated: false };
}
