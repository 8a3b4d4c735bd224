import { commands, type ExtensionContext, lm, type Memento, Uri, window, workspace } from "vscode";
import { registerModelProvider } from "./chat/models/registerModels.ts";
import { registerParticipant } from "./chat/participant/registerParticipant.ts";
import { registerCompletions } from "./completions/registerCompletions.ts";
import type { Notifier } from "./failures/notifier.ts";
import { UserError } from "./failures/userError.ts";
import { GatewayError } from "./gateway/errors.ts";
import { lazy, lazyGateway } from "./gateway/lazyGateway.ts";
import type { GatewayOptions, KeyGroup } from "./gateway/types.ts";
import { createImages, type ImageInput, registerHistoryView } from "./images/images.ts";
import { registerCodeActions } from "./inline/registerCodeActions.ts";
import { commandNames, imageToolName, pendingPrefix, prefix, vendor } from "./manifest.ts";
import { isExcluded } from "./reading/excludeSettings.ts";
import type { EarlyServices } from "./services.ts";
import { originsOf } from "./settings/connection.ts";
import { KeyCommand } from "./settings/keyCommand.ts";
import { keyCommandOf } from "./settings/keyCommandSetting.ts";
import { KeyGuard } from "./settings/keyGuard.ts";
import { Keys } from "./settings/keys.ts";
import { gatewaySettings, readSettings, type Settings } from "./settings/settings.ts";
import { LearnedLimits } from "./settings/tokenLimits.ts";
import { confirmKeyOrigin } from "./setup/confirmKeyOrigin.ts";
import { offerToKeepChat, tickWalkthrough, welcome } from "./setup/welcome.ts";
import { SessionStats } from "./status/sessionStats.ts";
import { showStatus } from "./status/statusBar.ts";
import { attemptLine, preconnectLine, responsesLine, tokenLimitLine } from "./ui/logLines.ts";
import { showMessage } from "./ui/showMessage.ts";
import { whenIdle } from "./whenIdle.ts";

/** The key of the salt for the names of conversations. */
const saltKey = "conversationSalt";

/** Builds the services and registers the features. These load at first use, the client at the first request, or all when idle. */
export function activate(context: ExtensionContext): void {
  const { secrets, subscriptions, extensionUri, globalState, workspaceState, globalStorageUri, storageUri } = context;
  const log = window.createOutputChannel("Codex Gateway", { log: true });
  const keyCommand = (group: KeyGroup): KeyCommand =>
    new KeyCommand({
      command: () => keyCommandOf(group),
      lifetime: () => currentSettings().keyLifetime,
      now: Date.now,
      print: async (...asked) => (await features.get()).runKeyCommand(...asked),
    });
  const keys = new Keys(secrets, process.env, { codex: keyCommand("codex"), image: keyCommand("image") });
  const keyGuard = new KeyGuard({
    keys,
    environment: process.env,
    confirm: confirmKeyOrigin,
  });
  const session = new SessionStats();
  const limits = new LearnedLimits();
  const options: GatewayOptions = {
    settings: () => gatewaySettings(currentSettings()),
    key: (...asked) => keyGuard.key(...asked).catch(keyNotRead),
    onEvent: (event) => {
      if (event.type === "attempt") log[event.failure === undefined ? "info" : "warn"](attemptLine(event));
      if (event.type === "preconnect") log.debug(preconnectLine(event));
      if (event.type === "health") session.onHealth(event.health);
      if (event.type === "answer" && session.onAnswer(event)) log.info(responsesLine(event));
      const tokens = event.type === "tokenLimit" ? limits.learn(event, currentSettings()) : undefined;
      if (event.type === "tokenLimit" && tokens !== undefined) log.info(tokenLimitLine(event, tokens));
    },
  };
  const gateway = lazyGateway(async () => {
    const { createGateway } = await import("./gateway/client.ts");
    const { guarded, watched } = await features.get();
    return guarded(createGateway(watched({ ...options, salt: await saltIn(globalState) })));
  });
  const services: EarlyServices = {
    gateway,
    images: createImages(context),
    keys,
    log,
    settings: (scope) => limits.applyTo(currentSettings(scope)),
    state: globalState,
    workspaceState,
    storage: globalStorageUri,
    editStorage: Uri.joinPath(storageUri ?? globalStorageUri, "edits"),
  };
  const features = lazy(async () => {
    const built = (await import("./features.ts")).createFeatures(services, extensionUri, session.onUsage);
    subscriptions.push(built);
    return built;
  });

  subscriptions.push(
    log,
    { dispose: () => void gateway.dispose() },
    ...commandNames.map((name) =>
      commands.registerCommand(`${prefix}.${name}`, async (argument?: unknown) =>
        (await features.get()).runCommand(name, argument),
      ),
    ),
    registerCodeActions(),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(prefix)) limits.forget();
    }),
    registerModelProvider({ ...services, limits }, async () => (await features.get()).modelAnswers),
    window.registerUriHandler({ handleUri: async (uri) => (await features.get()).openLink(uri) }),
    registerParticipant(async (...turn) => (await features.get()).answer(...turn)),
    lm.registerTool<ImageInput>(imageToolName, {
      prepareInvocation: async (...call) => (await features.get()).imageTool.prepareInvocation?.(...call),
      invoke: async (...call) => (await features.get()).imageTool.invoke(...call),
    }),
    registerHistoryView(services.images.history, async (view) => {
      (await features.get()).showHistory(view);
    }),
    session,
    tickWalkthrough(),
    // Loads code before the first question needs it, if a gateway is set up.
    whenIdle([
      // From then on, the status bar also shows the usage of other windows.
      async () => currentSettings().baseUrl && features.get(),
      async () => currentSettings().baseUrl && import("./gateway/client.ts"),
      // Three reads of the secret storage, which take up to 100 ms each.
      async () => {
        const [primary] = originsOf(currentSettings());
        if (primary && !keys.command("codex")) await keyGuard.key("codex", primary, { isAutomatic: true });
      },
      // VS Code parses the globs of `files.exclude` at their first use (15 to 25 ms, 1.139), and keeps them.
      () => {
        const folders = currentSettings().baseUrl ? workspace.workspaceFolders : undefined;
        return Promise.resolve(folders?.map(({ uri }) => isExcluded(uri, "files")));
      },
    ]),
  );
  // After activation, so as not to delay it or the extensions that VS Code activates next.
  setImmediate(() => {
    subscriptions.push(
      ...showStatus(services, session),
      registerCompletions(services.settings, async () => (await features.get()).startCompletions()),
    );
    const inform: Notifier["inform"] = async (text, ...actions) => {
      const action = await showMessage("Information", text, ...actions);
      if (action) await (await features.get()).runAction(action);
    };
    const offerRecovery = async (): Promise<void> => (await features.get()).offerRecovery();
    const isPending = (key: string): boolean => key.startsWith(pendingPrefix);
    if (globalState.keys().some(isPending)) void offerRecovery();
    else void workspace.fs.stat(Uri.joinPath(globalStorageUri, "images")).then(offerRecovery, () => undefined);
    void welcome({ ...services, inform });
    void offerToKeepChat({ ...services, inform });
    // Edits that an earlier window could not finish, or whose hunks are open. Loads nothing if there was never an edit.
    const recover = (): void => {
      const recoverAll = async (): Promise<void> => (await features.get()).recoverEdits();
      void workspace.fs.stat(services.editStorage).then(recoverAll, () => undefined);
    };
    recover();
    // Hunks that version 1.1.0 had open: the features take them over when they load.
    if (workspaceState.get("openHunks") !== undefined) void features.get();
    subscriptions.push(workspace.onDidGrantWorkspaceTrust(recover));
    // VS Code routes no chat request, not even to participants, until a model is resolved (seen in VS Code 1.139.1).
    void lm.selectChatModels({ vendor });
  });
}

function currentSettings(scope?: Uri): Settings {
  return readSettings((section, scope) => workspace.getConfiguration(section, scope), scope);
}

/** A random text, created once per installation. */
async function saltIn(state: Memento): Promise<string> {
  const known = state.get(saltKey);
  if (typeof known === "string") return known;
  const salt = crypto.randomUUID();
  await state.update(saltKey, salt);
  return salt;
}

function keyNotRead(cause: unknown): never {
  if (cause instanceof GatewayError || cause instanceof UserError) throw cause;
  throw new UserError("keyNotRead", { cause });
}
