import { normalizeBaseUrl } from "../gateway/baseUrl.ts";
import { withoutKeys } from "../text/withoutKeys.ts";
import { modelId } from "./models.ts";

/** What a set-up link sets. Without a backup entry it is empty; without a model, today's stays. */
export interface LinkedValues {
  readonly baseUrl: string;
  readonly backupBaseUrl: string;
  readonly model: string;
}

/** What is wrong with a set-up link. */
export type LinkFlaw =
  | "path" // it is not for set-up
  | "fragment"
  | "tooLong"
  | "carriesKey" // it carries a key or a command
  | "unknown" // a parameter is unknown
  | "twice" // a parameter stands in it twice
  | "letters" // a host has letters beyond ASCII, which can look like others (Unicode Technical Standard 39)
  | "noEntry" // it names no entry
  | "model"; // the model's name cannot be used

/** A link that cannot be used. */
export class LinkError extends Error {
  override readonly name = "LinkError";
  readonly flaw: LinkFlaw;
  /** The parameter, or the host as Punycode. Untrusted text. */
  readonly subject: string;

  constructor(flaw: LinkFlaw, subject = "") {
    super(flaw);
    this.flaw = flaw;
    this.subject = subject;
  }
}

/** Maximum length of a link's query, in characters. */
const maxLength = 8_192;

const parameters = ["baseUrl", "backupBaseUrl", "model"] as const;

/** Reads the parts of a link as VS Code passes them on, already decoded once. Throws `LinkError`, and `GatewayError` for entries. */
export function readSetUpLink(link: { path: string; query: string; fragment: string }): LinkedValues {
  if (link.path !== "/setup") throw new LinkError("path");
  if (link.fragment !== "") throw new LinkError("fragment");
  if (link.query.length > maxLength) throw new LinkError("tooLong");
  const query = new URLSearchParams(link.query);
  for (const [name, value] of query) {
    if (/key|token|secret|password|command/i.test(name) || withoutKeys(value) !== value)
      throw new LinkError("carriesKey");
    if (!parameters.some((known) => known === name)) throw new LinkError("unknown", name);
    if (query.getAll(name).length > 1) throw new LinkError("twice", name);
  }
  const [baseUrl, backupBaseUrl, model] = parameters.map((name) => query.get(name) ?? "");
  if (!baseUrl) throw new LinkError("noEntry");
  if (model && modelId(model) !== model) throw new LinkError("model");
  const primary = entryOf(baseUrl);
  const backup = backupBaseUrl ? entryOf(backupBaseUrl) : "";
  return { baseUrl: primary, backupBaseUrl: backup === primary ? "" : backup, model: model ?? "" };
}

/** The query of the link that sets these values. */
export function setUpQuery({ baseUrl, backupBaseUrl, model }: LinkedValues): string {
  return new URLSearchParams({ baseUrl, ...(backupBaseUrl && { backupBaseUrl }), model }).toString();
}

function entryOf(text: string): string {
  if (/\P{ASCII}/u.test(text)) throw new LinkError("letters", URL.parse(text)?.host);
  return normalizeBaseUrl(text, false);
}
