/** Ids shared with package.json; a test compares both directions. */
export const extensionId = "codex-gateway.codex-gateway";
export const prefix = "codexGateway";
export const vendor = "codex-gateway";
export const participantId = "codex-gateway.codex";
export const participantName = "codex";
/** The agent of `media/codex-lean.agent.md`, by which VS Code finds it. */
export const leanAgent = "Codex Lean";
export const inlineControllerId = "codexGateway.inline";
export const reviewControllerId = "codexGateway.review";
/** URI scheme of the virtual documents in diff editors. */
export const diffScheme = "codex-gateway-diff";
/** URI scheme of the summary of a review. */
export const summaryScheme = "codex-gateway-review";
/** URI scheme of the documents that show the edits of `@codex` before they are applied. */
export const editScheme = "codex-gateway-edit";
export const imageToolName = "codexGateway_generateImage";
export const imagesViewId = "codexGateway.images";
export const walkthroughId = "getStarted";

/** Language id of prompt editors. */
export const promptLanguage = "codex-image-prompt";

/** Every contributed command, without the prefix. */
export const commandNames = [
  "setUp",
  "setApiKey",
  "removeApiKey",
  "openChat",
  "generateImage",
  "recoverImages",
  "openImage",
  "insertImageLink",
  "revealImage",
  "copyImagePath",
  "refineImage",
  "generateImageAgain",
  "clearHistory",
  "selectModel",
  "setTokenLimit",
  "useForAiFeatures",
  "stopUsingForAiFeatures",
  "generateCommitMessage",
  "stopCommitMessage",
  "reviewChanges",
  "review.fix",
  "review.dismiss",
  "review.next",
  "review.open",
  "review.showSummary",
  "review.clear",
  "completions.configure",
  "completions.switchLanguage",
  "completions.pause",
  "completions.resume",
  "copySetUpLink",
  "testConnection",
  "showUsage",
  "showLog",
  "showMenu",
  "applyEdit",
  "reviewEdit",
  "showEdit",
  "skipFile",
  "keepEdit",
  "undoEdit",
  "fixEdit",
  "inlineChat",
  "inlineChat.send",
  "inlineChat.cancel",
  "inlineChat.stop",
  "inlineChat.apply",
  "inlineChat.showDiff",
  "inlineChat.insertBelow",
  "inlineChat.replaceSelection",
  "inlineChat.copy",
  "inlineChat.askAgain",
  "inlineChat.showAnswer",
  "inlineChat.fixNewProblems",
  "inlineChat.keep",
  "inlineChat.undo",
  "inlineChat.keepAll",
  "inlineChat.undoAll",
  "inlineChat.nextChange",
  "inlineChat.previousChange",
  "inlineChat.close",
] as const;

export type CommandName = (typeof commandNames)[number];

/** Every contributed setting, without the prefix, with its default. */
export const settingDefaults = {
  baseUrl: "",
  backupBaseUrl: "",
  allowInsecureHttp: false,
  certificateFile: "",
  "keyCommand.codex": [],
  "keyCommand.image": [],
  "keyCommand.ttl": 300,
  "chat.model": "gpt-5.3-codex",
  "chat.api": "auto",
  "chat.findContext": true,
  "inlineChat.model": "",
  "inlineChat.apply": "ask",
  "commitMessage.model": "gpt-5.4-mini",
  "commitMessage.language": "",
  "review.model": "",
  "completions.mode": "off",
  "completions.model": "gpt-5.3-codex-spark",
  "completions.maxPerHour": 200,
  "completions.languages": {},
  "image.size": "ask",
  "image.folder": "images",
  models: {},
  prices: {},
  "budget.dailyTokens": 0,
  "budget.monthlyTokens": 0,
  "budget.dailyCost": 0,
  "budget.monthlyCost": 0,
  streaming: "auto",
  toolCalling: "auto",
} as const;

export type SettingName = keyof typeof settingDefaults;

/** The settings of scope `machine`. */
export const machineSettings: ReadonlySet<SettingName> = new Set([
  ...["baseUrl", "backupBaseUrl", "allowInsecureHttp", "certificateFile"],
  ...["keyCommand.codex", "keyCommand.image", "keyCommand.ttl"],
] as const);

/** Prefix of the state keys of pending images. */
export const pendingPrefix = "pendingImage.";
