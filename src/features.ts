import { join } from "node:path";
import { Uri, type WebviewView, workspace } from "vscode";
import { diskFiles } from "./apply/diskFiles.ts";
import { adoptEarlierHunks } from "./apply/version110.ts";
import { setContextKeys } from "./apply/editContextKeys.ts";
import { EditStore } from "./apply/editStore.ts";
import { recoverEdits } from "./chat/edit/editActions.ts";
import { showErrors } from "./chat/edit/editErrors.ts";
import { editDocuments } from "./chat/edit/editView.ts";
import { ModelAnswers } from "./chat/models/modelAnswers.ts";
import { participantHandler } from "./chat/participant/handler.ts";
import { commandRunner } from "./commands/commandTable.ts";
import { openSetting } from "./failures/actions.ts";
import type { Action } from "./failures/notice.ts";
import { Notifier } from "./failures/notifier.ts";
import type { Gateway, GatewayOptions } from "./gateway/types.ts";
import { ignoredFiles } from "./git/gitExtension.ts";
import { CommitMessages } from "./git/commitMessages.ts";
import { CompletionSnooze } from "./completions/completionSnooze.ts";
import { Reviews } from "./git/review/reviews.ts";
import { showHunksInEditors } from "./hunks/showHunksInEditors.ts";
import { generateForChat, imageTool } from "./images/chatImages.ts";
import { showHistory } from "./images/history/showHistory.ts";
import { registerPromptLens } from "./images/imageCommands.ts";
import { offerRecovery } from "./images/images.ts";
import { PendingImages } from "./images/pendingImages.ts";
import { InlineChat } from "./inline/inlineChat.ts";
import { editScheme } from "./manifest.ts";
import { FileGate } from "./reading/fileGate.ts";
import { guardGateway } from "./reading/guardedGateway.ts";
import type { EarlyServices, Services } from "./services.ts";
import { effortNotice } from "./settings/effortNotice.ts";
import type { Command } from "./settings/keyCommand.ts";
import { runKeyCommand, type RunOptions } from "./setup/runKeyCommand.ts";
import { setUpLinks } from "./setup/setUpLink.ts";
import { TokenCounter } from "./prompts/tokenCounter.ts";
import { WindowSecrets } from "./text/secrets/windowSecrets.ts";
import { Ledger } from "./usage/ledger.ts";
import { UsagePanel } from "./usage/page/usagePanel.ts";
import { usageRecorder } from "./usage/usageRecorder.ts";
import { usageProblemLine } from "./ui/logLines.ts";
import { LinkNotification } from "./ui/linkNotification.ts";
import { type UsageTexts, followUsage } from "./usage/followUsage.ts";

/** Builds the features, which load at first use. `extension` is its folder; `onUsage` receives today's usage of all windows. */
export function createFeatures(early: EarlyServices, extension: Uri, onUsage: (texts: UsageTexts) => void) {
  const tokens = new TokenCounter();
  const folder = join(early.storage.fsPath, "usage");
  const onProblem = (error: unknown): void => {
    early.log.warn(usageProblemLine(error));
  };
  const onChange = (): void => {
    watch.note();
  };
  const ledger = new Ledger({ folder, now: Date.now, onProblem, onChange });
  const { settings } = early;
  const notifier = new Notifier(early.log, () => performance.now());
  const watch = followUsage({ ledger, folder, settings, onProblem, notifier }, onUsage);
  const recordUsage = usageRecorder({ ledger, estimate: (model, text) => tokens.estimate(model, text) });
  const gate = new FileGate(ignoredFiles);
  const secrets = new WindowSecrets();
  const services: Services = {
    ...early,
    images: { ...early.images, pending: new PendingImages({ state: early.state, storage: early.storage.fsPath }) },
    notifier,
    tokens,
    ledger,
    isOverBudget: watch.isOver,
    gate,
    secrets,
  };
  const commitMessages = new CommitMessages(services);
  const completionSnooze = new CompletionSnooze(early.state);
  const edits = new EditStore(early.editStorage.fsPath, diskFiles, {
    adopt: (add) => adoptEarlierHunks(early.workspaceState, add, textOf),
  });
  const inlineChat = new InlineChat(services, edits);
  const reviews = new Reviews(services, (target) => inlineChat.open(target));
  const editing = { edits, gate, notice: new LinkNotification() };
  const editTexts = workspace.registerTextDocumentContentProvider(editScheme, editDocuments(edits));
  const usagePanel = new UsagePanel(services, Uri.joinPath(extension, "media"));
  const ofFeatures = [
    inlineChat,
    commitMessages,
    reviews,
    usagePanel,
    completionSnooze,
    editTexts,
    edits,
    setContextKeys(edits),
    showHunksInEditors(edits),
    showErrors(edits, editing.notice),
  ];
  const disposables = [...ofFeatures, registerPromptLens(), watch, ledger];
  const openLink = setUpLinks(services);
  return {
    runCommand: commandRunner({
      ...services,
      inlineChat,
      commitMessages,
      reviews,
      usagePanel,
      completionSnooze,
      editing,
    }),
    modelAnswers: new ModelAnswers(services),
    /** Handles requests to `@codex`. */
    answer: participantHandler(
      { ...services, editing },
      async (prompt, ...rest) => (await generateForChat(services, { prompt }, ...rest)) ?? [],
    ),
    imageTool: imageTool(services),
    /** Offers to recover images that are paid for but not saved. */
    offerRecovery: () => offerRecovery(services.images.pending, notifier),
    showHistory: (view: WebviewView): void => {
      showHistory(view, services.images, extension);
    },
    /** Starts completions, whose code loads only then. */
    startCompletions: async () => {
      const { Completions } = await import("./completions/completions.ts");
      return new Completions(services, completionSnooze);
    },
    /** Counts usage, learns from it, and shows which fields the gateway rejects. */
    watched: (options: GatewayOptions): GatewayOptions => {
      const noticeEffort = effortNotice(
        early.log,
        settings,
        (text) => void notifier.inform(text, openSetting("models")),
      );
      const onEvent: GatewayOptions["onEvent"] = (event) => {
        recordUsage(event);
        if (event.type === "use" && event.usage && event.sent) tokens.learn(event.sent, event.usage.inputTokens);
        if (event.type === "omitted") noticeEffort(event.model, event.fields);
        options.onEvent?.(event);
      };
      return { ...options, onEvent };
    },
    /** The only access to the gateway: see `guardGateway`. */
    guarded: (gateway: Gateway): Gateway => guardGateway(gateway, secrets),
    /** Reverts edits that an earlier window could not finish. */
    recoverEdits: async () => {
      await notifier.run({ name: "recover edits", keyGroup: "codex" }, () => recoverEdits(editing));
    },
    /** Runs a command that prints a key. */
    runKeyCommand: (command: Command, options: RunOptions): Promise<string> =>
      runKeyCommand(command, { ...options, roots: (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath) }),
    /** Runs the action of a notification that was shown before the features were loaded. */
    runAction: (action: Action): Promise<void> => notifier.runAction(action),
    /** Opens a link of the form `<scheme>://<extension>/setup?…`. */
    openLink: async (uri: Uri): Promise<void> => {
      await notifier.run({ name: "set-up link", keyGroup: "codex" }, () => openLink(uri));
    },
    dispose: (): void => {
      for (const one of disposables) one.dispose();
    },
  };
}

/** The text of a file as the editor has it. */
async function textOf(uri: string): Promise<string> {
  return (await workspace.openTextDocument(Uri.parse(uri, true))).getText();
}
