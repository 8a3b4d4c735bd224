/** Ids shared with package.json; a test compares the two in both directions. */
export const prefix = "codexGateway";
export const vendor = "codex-gateway";
export const participantId = "codex-gateway.codex";
export const participantName = "codex";

/** Every contributed command, without the prefix. */
export const commandNames = ["setApiKey", "removeApiKey", "openChat", "generateImage", "showLog"] as const;

export type CommandName = (typeof commandNames)[number];
