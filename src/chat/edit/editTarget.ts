import { UserError } from "../../failures/userError.ts";

/** An edit, and the position of a file of it, as buttons and links pass them. */
export interface EditTarget {
  readonly id: string;
  readonly index: number | undefined;
}

/** Reads `<id>` or `<id>/<position>`. The store accepts only ids of its own. */
export function readTarget(argument: unknown): EditTarget {
  const [id = "", index] = typeof argument === "string" ? argument.split("/") : [];
  if (id === "") throw new UserError("editGone");
  return { id, index: index === undefined ? undefined : Number(index) };
}
