import { UserError } from "../../failures/userError.ts";
import { type DenialReason, denialTexts, type FileGate } from "../../reading/fileGate.ts";
import type { CodeTarget } from "./document.ts";

/** Why the file of a conversation is denied. The user has opened it, perhaps from outside the workspace. */
export async function denialOf(
  gate: Pick<FileGate, "denied">,
  { document: { uri } }: Pick<CodeTarget, "document">,
): Promise<DenialReason | undefined> {
  return (await gate.denied([uri], { allowsOutside: true })).get(uri);
}

/** Throws a `UserError` unless the lines may be sent: of a denied file, only those that the user has selected may. */
export function requireSelected(
  { isSelected = false }: Pick<CodeTarget, "isSelected">,
  reason: DenialReason | undefined,
): void {
  if (reason !== undefined && !isSelected) throw new UserError("fileClosed", { subject: denialTexts[reason]() });
}
