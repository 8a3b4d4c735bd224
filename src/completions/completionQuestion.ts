import type { Position, TextDocument } from "vscode";
import type { ChatRequest } from "../gateway/types.ts";
import type { Services } from "../services.ts";
import { nameInRequests } from "../reading/promptPaths.ts";
import { reasoningEffortOf, unknownModel } from "../settings/models.ts";
import { maxInputTokensOf } from "../settings/tokenLimits.ts";
import type { CompletionPlace } from "./cleaning/place.ts";
import { completionPrompt } from "./completionPrompt.ts";
import type { PlaceKind } from "./placeKind.ts";
import type { RecentEdits } from "./recentEdits.ts";
import { symbolsAround } from "./symbolsAround.ts";

/** Where completions are asked for. */
export interface AskedPlace {
  readonly document: TextDocument;
  readonly position: Position;
  readonly place: CompletionPlace;
  /** Whether the user asks by a key, so that there is no pause. */
  readonly isInvoked: boolean;
}

/** Length of the code in a request, in characters: more costs more, and makes hardly a better line. */
const codeLength = 8_000;
const shortestCode = 500;

/** The request for a completion, with as much code as the model can read. */
export async function completionQuestion(
  { settings, tokens }: Pick<Services, "settings" | "tokens">,
  edits: Pick<RecentEdits, "texts">,
  { document: { uri }, position, place }: AskedPlace,
  kind: Exclude<PlaceKind, "none">,
): Promise<ChatRequest> {
  const current = settings();
  const { chatApi: api, completionsModel: model, models } = current;
  const [symbols, recent] = await Promise.all([symbolsAround(uri, position), edits.texts(uri, position.line)]);
  const context = { path: nameInRequests(uri), symbols, edits: recent };
  const most = maxInputTokensOf(model, current, unknownModel.maxInputTokens);
  let length = codeLength;
  let prompt = completionPrompt(place, context, kind, length);
  while (length > shortestCode && tokens.count(model, prompt.system + prompt.user) > most) {
    length = Math.floor(length / 2);
    prompt = completionPrompt(place, context, kind, length);
  }
  return {
    api,
    model,
    messages: [
      { role: "system", content: prompt.system },
      { role: "user", content: prompt.user },
    ],
    reasoningEffort: reasoningEffortOf(model, models),
    feature: "completion",
    attempts: "one",
    isUnasked: true,
  };
}
