/** Ids shared with package.json; a test compares the two in both directions. */
export const prefix = "codexGateway";
export const vendor = "codex-gateway";
export const participantId = "codex-gateway.codex";
export const participantName = "codex";

/** Every contributed command, without the prefix. */
export const commandNames = ["setApiKey", "removeApiKey", "openChat", "generateImage", "showLog"] as const;

export type CommandName = (typeof commandNames)[number];

/** Every contributed setting, without the prefix, with its default. */
export const settingDefaults = {
  baseUrl: "",
  backupBaseUrl: "",
  allowInsecureHttp: false,
  certificateFile: "",
  "chat.model": "gpt-5.3-codex",
  "chat.api": "chatCompletions",
  "image.size": "1024x1024",
  "image.folder": "images",
  models: {},
  streaming: "auto",
  toolCalling: "auto",
} as const;

export type SettingName = keyof typeof settingDefaults;
