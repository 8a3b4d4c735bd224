import { commands, SymbolInformation, Uri } from "vscode";
import { setTimeout } from "node:timers/promises";
import { asArray } from "../../../text/json.ts";

/** The lines, from zero, where files declare what a question names, by the URI of the file. */
export type DeclaredLines = ReadonlyMap<string, readonly number[]>;

/** Most names that are looked up, and most places of each. */
const mostNames = 4;
const mostPlaces = 8;

/** How long language servers may take in all, in milliseconds. One that is still starting is not waited for. */
const patience = 500;

const identifier = /^[\p{L}_$][\p{L}\p{N}_$]{2,80}$/u;

/** Asks the language servers where the names of a question are declared. Nothing is asked where it names nothing. */
export async function findSymbols(names: readonly string[], signal: AbortSignal): Promise<DeclaredLines> {
  const asked = [...new Set(names.map(lastName))].filter((name) => identifier.test(name)).slice(0, mostNames);
  if (asked.length === 0) return new Map();
  const found = new Map<string, number[]>();
  const all = Promise.all(
    asked.map(async (name) => {
      for (const { uri, line } of await placesOf(name)) found.set(uri, [...(found.get(uri) ?? []), line]);
    }),
  );
  const waited = new AbortController();
  const stop = AbortSignal.any([signal, waited.signal]);
  await Promise.race([all, setTimeout(patience, undefined, { signal: stop }).catch(() => undefined)]);
  waited.abort();
  signal.throwIfAborted();
  return new Map(found);
}

async function placesOf(name: string): Promise<readonly { readonly uri: string; readonly line: number }[]> {
  try {
    const symbols = asArray(await commands.executeCommand("vscode.executeWorkspaceSymbolProvider", name));
    return symbols
      .flatMap((symbol) => {
        if (!(symbol instanceof SymbolInformation) || symbol.name.replace(/\(.*$/, "") !== name) return [];
        const { uri, range } = symbol.location;
        return uri instanceof Uri ? [{ uri: uri.toString(), line: range.start.line }] : [];
      })
      .slice(0, mostPlaces);
  } catch {
    // A language server that fails finds nothing.
    return [];
  }
}

/** The last name of a path of names: `b` of `a.b`. */
function lastName(name: string): string {
  return name.split(/[./]/).at(-1) ?? "";
}
