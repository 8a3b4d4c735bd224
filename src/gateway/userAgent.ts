/** Name and version, the latter as in package.json: some firewalls refuse requests that do not say who sends them. */
export const userAgent = "codex-gateway/1.0.0";
