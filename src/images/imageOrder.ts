import type { Uri } from "vscode";

/** What is ordered, and where it goes. */
export interface ImageOrder {
  readonly prompt: string;
  /** `undefined`: the gateway chooses. */
  readonly size: string | undefined;
  readonly folder: Uri;
}
