import { UserError } from "../../failures/userError.ts";
import { type Closed, closedTexts, type FileGate } from "../../reading/fileGate.ts";
import type { CodeTarget } from "./document.ts";

/** Why the file of a conversation stays closed. The user has opened it, perhaps from outside the workspace. */
export async function closedBy(
  gate: Pick<FileGate, "closed">,
  { document: { uri } }: Pick<CodeTarget, "document">,
): Promise<Closed | undefined> {
  return (await gate.closed([uri], { allowsOutside: true })).get(uri);
}

/** Throws a `UserError` unless the lines may be sent: of a closed file, only those that the user has selected may. */
export function requireSelected(
  { isSelected = false }: Pick<CodeTarget, "isSelected">,
  reason: Closed | undefined,
): void {
  if (reason !== undefined && !isSelected) throw new UserError("fileClosed", { subject: closedTexts[reason]() });
}
