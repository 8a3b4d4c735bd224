import type { DenialReason } from "../reading/fileGate.ts";
import type { RequestDenial } from "./governor.ts";

/** Why completions are off, wait, or come only on demand. */
export type Denial = DenialReason | RequestDenial | "paused" | "language" | "budget" | "choice";

/** The denials of new requests. Suggestions that are known already are shown. */
export const requestDenials: ReadonlySet<Denial> = new Set(["refused", "limited", "hour", "budget", "choice"]);

/** What may deny completions in a document. */
export interface DenialSources {
  readonly isPaused: boolean;
  readonly isLanguageOff: boolean;
  readonly ofFile: () => Promise<DenialReason | undefined>;
  readonly ofRequest: () => RequestDenial | undefined;
  readonly isOverBudget: () => Promise<boolean>;
  /** Whether the user has yet to choose between this extension and GitHub Copilot. */
  readonly needsChoice: () => Promise<boolean>;
}

/**
 * Why there are no completions in a document, or, if `isAutomatic`, none while the user types. What the user has decided comes
 * first.
 */
export async function denialFrom(sources: DenialSources, isAutomatic: boolean): Promise<Denial | undefined> {
  if (sources.isPaused) return "paused";
  if (sources.isLanguageOff) return "language";
  const ofFile = await sources.ofFile();
  if (ofFile !== undefined) return ofFile;
  const ofRequest = sources.ofRequest();
  if (ofRequest !== undefined && (isAutomatic || ofRequest !== "hour")) return ofRequest;
  if (!isAutomatic) return undefined;
  if (await sources.isOverBudget()) return "budget";
  return (await sources.needsChoice()) ? "choice" : undefined;
}
