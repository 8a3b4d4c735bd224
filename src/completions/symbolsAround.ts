import { commands, DocumentSymbol, type Position, type Uri } from "vscode";
import { setTimeout } from "node:timers/promises";

/** How long a language service may take to name what is around the cursor, in milliseconds. */
const patience = 80;

/** The names of the declarations around a position, from the outside in, as far as the language knows them in time. */
export async function symbolsAround(uri: Uri, position: Position): Promise<readonly string[]> {
  const asked = commands.executeCommand("vscode.executeDocumentSymbolProvider", uri);
  const found = await Promise.race([asked, setTimeout(patience)]).catch(() => undefined);
  return Array.isArray(found) ? namesAt(found, position) : [];
}

function namesAt(symbols: readonly unknown[], position: Position): readonly string[] {
  for (const symbol of symbols) {
    // Some services give a flat list of `SymbolInformation`, which does not tell what is inside what.
    if (!(symbol instanceof DocumentSymbol) || !symbol.range.contains(position)) continue;
    return [symbol.name, ...namesAt(symbol.children, position)];
  }
  return [];
}
