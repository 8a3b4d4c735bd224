import type { Notice } from "./notice.ts";

/** A failure that was logged and shown where it happened, on its way to whoever shows it in a chat. */
export class ReportedFailure extends Error {
  override readonly name = "ReportedFailure";
  readonly notice: Notice;

  constructor(notice: Notice, cause: unknown) {
    super(notice.text, { cause });
    this.notice = notice;
  }
}
