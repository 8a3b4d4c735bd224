import { l10n, ThemeIcon, window, workspace } from "vscode";
import { editCommands, type EditCommandServices } from "../chat/edit/editActions.ts";
import { purposeOf } from "../chat/models/modelInformation.ts";
import { completionCommands, type CompletionServices } from "../completions/completionCommands.ts";
import { openSetting } from "../failures/actions.ts";
import { saving } from "../failures/userError.ts";
import type { CommitMessages } from "../git/commitMessages.ts";
import type { Reviews } from "../git/review/reviews.ts";
import { imageCommands } from "../images/imageCommands.ts";
import { isOfWorkspace } from "../images/images.ts";
import { inlineChatCommands, type InlineServices } from "../inline/inlineCommands.ts";
import { type CommandName, participantName, prefix, vendor } from "../manifest.ts";
import type { Services } from "../services.ts";
import { changeSetting } from "../settings/changeSetting.ts";
import { modelId, maxInput } from "../settings/modelSettings.ts";
import { minInput } from "../settings/tokenLimits.ts";
import { removeApiKey, setApiKey } from "../setup/apiKeyCommands.ts";
import { setUp } from "../setup/setUp.ts";
import { copySetUpLink } from "../setup/setUpLink.ts";
import { testConnection } from "../setup/testConnection.ts";
import { openChatView, stopUsingForAiFeatures, useForAiFeatures } from "../setup/useInChat.ts";
import { asCount, asObject, asText } from "../base/json.ts";
import { quote } from "../text/safeText.ts";
import { showMessage } from "../ui/showMessage.ts";
import type { UsagePanel } from "../usage/page/usagePanel.ts";
import { showMenu } from "./showMenu.ts";

/** A command handler; its result is the result of the command. */
type Command = (services: CommandServices, argument?: unknown) => unknown;

/** The services available to commands. */
export interface CommandServices extends Services, InlineServices, CompletionServices, EditCommandServices {
  readonly commitMessages: CommitMessages;
  readonly reviews: Reviews;
  readonly usagePanel: Pick<UsagePanel, "show">;
}

/** Every contributed command. A command missing here does not compile. */
const handlers: Record<CommandName, Command> = {
  setUp,
  setApiKey,
  removeApiKey,
  openChat,
  clearHistory,
  selectModel,
  setTokenLimit,
  useForAiFeatures,
  stopUsingForAiFeatures,
  copySetUpLink,
  testConnection,
  showUsage: ({ usagePanel }) => usagePanel.show(),
  showLog: ({ log }) => {
    log.show();
  },
  showMenu,
  ...imageCommands,
  ...inlineChatCommands,
  // A button passes its `SourceControl`, its thread, or the id of its finding.
  generateCommitMessage: ({ commitMessages }, argument) => commitMessages.generate(argument),
  stopCommitMessage: ({ commitMessages }, argument) => {
    commitMessages.stop(argument);
  },
  reviewChanges: ({ reviews }, argument) => reviews.run(argument),
  "review.fix": ({ reviews }, argument) => reviews.fix(argument),
  "review.dismiss": ({ reviews: { threads } }, argument) => threads.dismiss(argument),
  "review.open": ({ reviews: { threads } }, argument) => threads.open(argument),
  "review.next": ({ reviews: { threads } }, argument) => threads.revealNext(argument),
  "review.showSummary": ({ reviews }) => reviews.showSummary(),
  "review.clear": ({ reviews }) => {
    reviews.clear();
  },
  ...completionCommands,
  ...editCommands,
};

/** Runs commands, and shows what they throw as one notification. Arguments are untrusted: links and keybindings have some. */
export function commandRunner(services: CommandServices): (name: CommandName, argument: unknown) => Promise<unknown> {
  return (name, argument) => {
    const run = (): Promise<unknown> =>
      services.notifier.run(
        {
          name,
          keyGroup: "codex",
          retry: run,
          ...(name === "generateCommitMessage" && { modelFrom: "commitMessage.model" }),
          ...(name === "reviewChanges" && { modelFrom: "review.model" }),
        },
        async () => await handlers[name](services, argument),
      );
    return run();
  };
}

/** Opens the Chat view with `@codex` entered, or `@codex /edit` for the argument `edit`. */
async function openChat(
  { gateway, settings }: Pick<Services, "gateway" | "settings">,
  argument?: unknown,
): Promise<void> {
  const { chatModel: id } = settings();
  gateway.preconnect(id);
  const query = `@${participantName} ${argument === "edit" ? "/edit " : ""}`;
  // In Restricted Mode the Chat view selects no model by itself (seen in VS Code 1.139).
  await openChatView({ query, isPartialQuery: true, ...(!workspace.isTrusted && { modelSelector: { vendor, id } }) });
}

async function selectModel({ settings }: Pick<Services, "settings">): Promise<void> {
  const { models, chatModel } = settings();
  const items = models.map(({ id, name, reasoningEffort }) => {
    const isCurrent = id === chatModel;
    const facts = [isCurrent && l10n.t("current"), reasoningEffort && l10n.t("reasoning effort: {0}", reasoningEffort)];
    return {
      id,
      label: name,
      description: facts.filter(Boolean).join(" · "),
      iconPath: new ThemeIcon(isCurrent ? "check" : "blank"),
      detail: purposeOf(id) ?? quote(id),
    };
  });
  const options = { title: l10n.t("Select the model for @codex"), matchOnDetail: true };
  const chosen = await window.showQuickPick(items, options);
  if (chosen) await saving(() => changeSetting(workspace.getConfiguration(prefix), "chat.model", chosen.id));
}

/** Limits the prompts to a model. The argument is `{ model, maxInputTokens }`; without it, opens the setting. */
async function setTokenLimit(_services: unknown, argument?: unknown): Promise<void> {
  const { model: id, maxInputTokens: tokens } = asObject(argument) ?? {};
  const [model = "", maxInputTokens = 0] = [asText(id), asCount(tokens)];
  const isPlausible = maxInputTokens >= minInput && maxInputTokens <= maxInput;
  if (!isPlausible || model === "" || model !== modelId(model)) {
    await openSetting("models").run();
    return;
  }
  const configuration = workspace.getConfiguration(prefix);
  await saving(() => changeSetting(configuration, "models", maxInputTokens, [model, "maxInputTokens"]));
  const limit = maxInputTokens.toLocaleString("en");
  void showMessage(
    "Information",
    l10n.t("Prompts to the model “{0}” are now limited to {1} tokens.", quote(model, 60), limit),
  );
}

/** Clears this workspace's image history, with its images that are paid for but not saved, after a confirmation. */
async function clearHistory({ images }: Pick<Services, "images">): Promise<void> {
  const { history, lastPrompt, pending } = images;
  const clear = l10n.t("Clear");
  const unsaved = (await pending.available()).filter(isOfWorkspace);
  const details = [
    l10n.t("This deletes the list of images in this workspace and their prompts. The image files are kept."),
    unsaved.length === 1 &&
      l10n.t("1 image of this workspace is paid for but not saved yet. Its link or data is deleted as well."),
    unsaved.length > 1 &&
      l10n.t(
        "{0} images of this workspace are paid for but not saved yet. Their links or data are deleted as well.",
        unsaved.length,
      ),
  ];
  const options = { modal: true, detail: details.filter(Boolean).join("\n\n") };
  if ((await window.showWarningMessage(l10n.t("Clear the image history?"), options, clear)) !== clear) return;
  await Promise.all([history.clear(), lastPrompt.set(undefined), pending.clear(unsaved)]);
}
