import { type Diagnostic, DiagnosticSeverity, type Disposable, EventEmitter, languages, type Uri } from "vscode";
import type { LineRange } from "../text/lineRange.ts";
import { splitLines } from "../text/lines.ts";
import { openDocument } from "../ui/openDocument.ts";
import { type CodedDiagnostic, newDiagnostics, stillThere } from "./diagnostics.ts";
import { withRelativePaths } from "../reading/promptPaths.ts";

/** How long errors count as those of a change although the document was edited since, in milliseconds. */
const gracePeriod = 3_000;

export interface ChangedFile {
  readonly uri: Uri;
  /** The current lines of the change. */
  readonly lines: () => readonly LineRange[];
  /** The text after the change, if it was written to the disk: an open document is updated later. */
  readonly text?: string;
}

/** A file that is watched for the errors of a change. */
interface Watch extends ChangedFile {
  /** The errors before the change; `undefined` if the file was not open, as many language services report none then. */
  readonly before: readonly CodedDiagnostic[] | undefined;
  /** All errors of the change so far: a language service may withdraw and report them again. */
  known: readonly CodedDiagnostic[];
  /** Errors of the change that exist now. */
  found: readonly CodedDiagnostic[];
  /** When the change was applied or partly undone, and the document's version after that. */
  last: { readonly time: number; readonly version: number | undefined };
}

/** Finds the errors that changes cause. Each change has an id. */
export class ErrorWatch implements Disposable {
  readonly #now: () => number;
  /** By the URIs of their files; the oldest change first. */
  readonly #watches = new Map<string, Map<string, Watch>>();
  readonly #changed = new EventEmitter<{ readonly id: string; readonly delta: number }>();
  /** Fires when the errors of a change differ. `delta` is the change in their number. */
  readonly onDidChange = this.#changed.event;
  readonly #listener = languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of new Set(uris.map(String))) this.#update(uri);
  });

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Runs `apply`, which returns those of the files `uris` that it has changed, and watches these for errors from then on. */
  async during(id: string, uris: readonly Uri[], apply: () => Promise<readonly ChangedFile[]>): Promise<void> {
    const before = new Map(uris.map((uri) => [uri.toString(), openDocument(uri) && errorsIn(uri)]));
    const files = await apply();
    if (files.length === 0) return;
    const watches = this.#watches.get(id) ?? new Map<string, Watch>();
    this.#watches.set(id, watches);
    for (const file of files) {
      const uri = file.uri.toString();
      const earlier = watches.get(uri) ?? { before: before.get(uri), known: [], found: [] };
      watches.set(uri, { ...earlier, ...file, last: this.#stamp(file.uri) });
      this.#update(uri);
    }
  }

  /** The current errors of a change. */
  of(id: string): readonly (CodedDiagnostic & { readonly uri: Uri })[] {
    const watches = [...(this.#watches.get(id)?.values() ?? [])];
    return watches.flatMap(({ uri, found }) => found.map((error) => ({ ...error, uri })));
  }

  /** The ids of the changes with current errors, the oldest first. */
  get changes(): readonly string[] {
    return [...this.#watches.keys()].filter((id) => this.of(id).length > 0);
  }

  /** Notes that a part of a change was undone, which may cause errors, too. */
  noteUndo(id: string): void {
    for (const watch of this.#watches.get(id)?.values() ?? []) watch.last = this.#stamp(watch.uri);
  }

  /** Stops watching for the errors of a change. */
  end(id: string): void {
    const { length } = this.of(id);
    this.#watches.delete(id);
    if (length > 0) this.#changed.fire({ id, delta: -length });
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }

  #stamp(uri: Uri): Watch["last"] {
    return { time: this.#now(), version: openDocument(uri)?.version };
  }

  /** An error belongs to the last change before which it did not exist. */
  #update(uri: string): void {
    const watched = [...this.#watches].flatMap(([id, watches]) => {
      const watch = watches.get(uri);
      return watch ? [{ id, watch }] : [];
    });
    const [first] = watched;
    if (!first) return;
    let remaining: readonly CodedDiagnostic[] = errorsIn(first.watch.uri);
    for (const { id, watch } of watched.toReversed()) {
      const lines = watch.lines();
      const isOwn = this.#isOwn(watch);
      const isInside = ({ line }: CodedDiagnostic): boolean =>
        lines.some(({ start, end }) => start <= line && line < end);
      const before = watch.before ?? (isOwn ? remaining.filter((error) => !isInside(error)) : []);
      const added = new Set(newDiagnostics(before, remaining, lines));
      remaining = remaining.filter((error) => !added.has(error));
      if (isOwn) watch.known = [...watch.known, ...newDiagnostics(watch.known, [...added], [])];
      const { found } = watch;
      watch.found = stillThere(watch.known, [...added]);
      const delta = watch.found.length - found.length;
      if (JSON.stringify(watch.found) !== JSON.stringify(found)) this.#changed.fire({ id, delta });
    }
  }

  /** Whether errors that are reported now are those of the change rather than of later edits. */
  #isOwn({ uri, text, last }: Watch): boolean {
    const document = openDocument(uri);
    if (document?.version === last.version || this.#now() - last.time < gracePeriod) return true;
    return text !== undefined && splitLines(document?.getText() ?? "").join() === splitLines(text).join();
  }
}

/** The errors of a file, from top to bottom. */
function errorsIn(uri: Uri): readonly CodedDiagnostic[] {
  const errors = languages.getDiagnostics(uri).filter(({ severity }) => severity === DiagnosticSeverity.Error);
  return described(errors.toSorted((one, other) => one.range.start.compareTo(other.range.start)));
}

/** Diagnostics as plain data, without the names of folders. */
export function described(diagnostics: readonly Diagnostic[]): readonly CodedDiagnostic[] {
  return diagnostics.map(({ range, severity, message, source = "", code }) => ({
    line: range.start.line,
    severity: DiagnosticSeverity[severity].toLowerCase(),
    message: withRelativePaths(message),
    source,
    code: String(typeof code === "object" ? code.value : (code ?? "")),
  }));
}
