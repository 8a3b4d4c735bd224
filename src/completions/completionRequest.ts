import { type Position, Range, type TextDocument } from "vscode";
import type { ChatRequest } from "../gateway/types.ts";
import type { Services } from "../services.ts";
import { nameInRequests } from "../reading/promptPaths.ts";
import { modelOf } from "../settings/tokenLimits.ts";
import { cutText, oneLine } from "../text/lines.ts";
import { type Declaration, declarationsIn } from "../ui/openDocument.ts";
import type { CursorContext } from "./cleaning/context.ts";
import { completionPromptText } from "./completionPromptText.ts";
import type { RequestedCompletion } from "./completionSession.ts";
import type { OtherCode } from "./otherCode.ts";

/** Largest document that is read in full, in characters. Of a larger one, only lines around the cursor are read. */
const maxDocument = 200_000;
/** Lines on each side of the cursor, up to multiples of `step`, so that the text stays the same while the user types. */
const linesAround = 1_000;
const step = 500;
/** Longest line in which code is completed, in characters. */
const maxLine = 2_000;

/** How long a language service may take for the symbols of a document, in milliseconds. */
const symbolsTimeout = 80;
/** Longest name of a declaration, in characters. Headings and keys are names as well. */
const maxName = 100;
/** Length of the code in a request, in characters. More costs more, and hardly improves a line. */
const codeLength = 8_000;
/** Length of the code on each side of the cursor whose names other files may share, in characters. */
const nearby = 1_000;

/** The code around a position; `undefined` in very long lines, as in minified files. */
export function contextAt(document: TextDocument, position: Position): CursorContext | undefined {
  if (document.lineAt(position.line).text.length > maxLine) return undefined;
  const last = document.lineCount - 1;
  const end = document.lineAt(last).range.end;
  const isLarge = document.offsetAt(end) > maxDocument;
  const from = isLarge ? Math.max(0, Math.floor((position.line - linesAround) / step) * step) : 0;
  const to = isLarge ? Math.min(last, Math.ceil((position.line + linesAround) / step) * step) : last;
  return {
    prefix: document.getText(new Range(from, 0, position.line, position.character)),
    suffix: document.getText(new Range(position, document.lineAt(to).range.end)),
    languageId: document.languageId,
  };
}

/** The cursor for which VS Code calls the provider. */
export interface Cursor {
  readonly document: TextDocument;
  readonly position: Position;
  /** Whether the user only types, rather than asks for a completion with a key. */
  readonly isAutomatic: boolean;
}

/** The request for a completion, with up to `codeLength` characters of code, or fewer if the model takes fewer; `undefined` inside a secret. */
export async function completionRequest(
  { settings, tokens, secrets }: Pick<Services, "settings" | "tokens" | "secrets">,
  otherCode: OtherCode,
  { document, position, context, kind, dismissed, isAutomatic }: RequestedCompletion & Cursor,
): Promise<ChatRequest | undefined> {
  const path = nameInRequests(document.uri);
  await secrets.learn(context.prefix + context.suffix, path);
  const line = document.lineAt(position.line).text;
  if ((await secrets.find(line)).some(({ start, end }) => start < position.character && position.character <= end))
    return undefined;
  const current = settings();
  const { id: model, maxInputTokens, reasoningEffort } = modelOf(current.completionsModel, current);
  const { uri } = document;
  const near = context.prefix.slice(-nearby) + context.suffix.slice(0, nearby);
  const [symbols, edits, neighbors] = await Promise.all([
    declarationsIn(uri, symbolsTimeout).then((declarations) => namesAt(declarations, position)),
    otherCode.edits(uri, position.line),
    otherCode.neighbors(document, near),
  ]);
  await secrets.learn(symbols.join("\n"));
  const related = { path, symbols, neighbors, edits };
  // Code has more characters than tokens, which leaves room for the rest of the prompt.
  const length = Math.min(codeLength, tokens.room(model, maxInputTokens));
  const { system, user } = completionPromptText(context, related, kind, length, dismissed);
  return {
    api: current.chatApi,
    model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
    reasoningEffort,
    conversation: uri.toString(),
    feature: "completion",
    attempts: "one",
    isAutomatic,
  };
}

/** The names of the declarations around a position, from the outside in. */
function namesAt(declarations: readonly Declaration[], position: Position): readonly string[] {
  const around = declarations.find(({ range }) => range.contains(position));
  if (!around) return [];
  const name = cutText(oneLine(around.name), maxName);
  return [...(name === "" ? [] : [name]), ...namesAt(around.children, position)];
}
