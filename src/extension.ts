import { env, type ExtensionContext, lm, type Uri, window, workspace } from "vscode";
import { registerModelProvider } from "./chat/modelProvider.ts";
import { registerParticipant } from "./chat/participant.ts";
import { taskPromptsIn } from "./chat/tasks.ts";
import { registerCommands } from "./commands/commands.ts";
import { lazyGateway } from "./gateway/lazyGateway.ts";
import type { GatewayOptions } from "./gateway/types.ts";
import { watchedGateway } from "./gateway/watchedGateway.ts";
import { imageForChat } from "./images/imageForChat.ts";
import { registerHistoryView } from "./images/historyView.ts";
import { createImages } from "./images/images.ts";
import { registerImageTool } from "./images/imageTool.ts";
import { offerRecovery } from "./images/offerRecovery.ts";
import { registerCodeActions } from "./inline/codeActions.ts";
import { InlineChat } from "./inline/inlineChat.ts";
import { vendor } from "./manifest.ts";
import type { Services } from "./services.ts";
import { createKeys } from "./settings/keys.ts";
import { gatewaySettings, readSettings, type Settings } from "./settings/settings.ts";
import { attemptLine } from "./ui/attemptLine.ts";
import { Notifier } from "./ui/notifier.ts";
import { Session } from "./ui/session.ts";
import { showStatus } from "./ui/statusBar.ts";
import { UserError } from "./ui/userError.ts";
import { welcome } from "./ui/welcome.ts";

/** Builds the services and registers the features. Nothing here waits: the client loads at the first request. */
export function activate(context: ExtensionContext): void {
  const { secrets, subscriptions, extensionUri, globalState } = context;
  const log = window.createOutputChannel("Codex Gateway", { log: true });
  const keys = createKeys(secrets, process.env);
  const session = new Session();
  const options: GatewayOptions = {
    settings: () => gatewaySettings(currentSettings()),
    key: (group) => keys.get(group).catch(keyNotRead),
    onAttempt: (report) => {
      log[report.failure === undefined ? "info" : "warn"](attemptLine(report));
    },
    onHealth: session.onHealth,
  };
  const client = lazyGateway(async () => (await import("./gateway/client.ts")).createGateway(options));
  const gateway = watchedGateway(client, session);
  const notifier = new Notifier(log, Date.now);
  const inlineChat = new InlineChat({ gateway, notifier, settings: currentSettings });
  const services: Services = {
    gateway,
    images: createImages(context),
    inlineChat,
    keys,
    log,
    notifier,
    settings: currentSettings,
    state: context.globalState,
    taskPrompts: taskPromptsIn(env.language),
  };

  subscriptions.push(
    log,
    { dispose: () => void gateway.dispose() },
    inlineChat,
    ...registerCommands(services),
    registerCodeActions(),
    registerModelProvider(services, secrets.onDidChange),
    registerParticipant(services, imageForChat(services)),
    registerImageTool(services),
    registerHistoryView(services.images.history, extensionUri),
    session,
    ...showStatus(services, session, secrets.onDidChange),
  );
  void offerRecovery(services.images.pending);
  if (currentSettings().baseUrl === "") void welcome(globalState);
  // The chat answers nobody, not even participants, before one model is resolved.
  void lm.selectChatModels({ vendor });
}

function currentSettings(scope?: Uri): Settings {
  return readSettings((section, scope) => workspace.getConfiguration(section, scope), scope);
}

function keyNotRead(cause: unknown): never {
  throw new UserError("keyNotRead", { cause });
}
