import { authentication, extensions, workspace } from "vscode";
import { asObject } from "../text/json.ts";

/** The extensions that bring GitHub Copilot's suggestions: the one that VS Code 1.139 contains, and the one before it. */
const copilot = ["GitHub.copilot-chat", "GitHub.copilot"];

/**
 * Whether GitHub Copilot suggests in a language, as far as other extensions can tell. VS Code activates the extension also
 * for those who use no Copilot, so it counts only where the user has signed in to GitHub.
 */
export async function suggestsElsewhere(languageId: string): Promise<boolean> {
  if (!copilot.some((id) => extensions.getExtension(id)?.isActive === true)) return false;
  const enabled = asObject(workspace.getConfiguration("github.copilot").get("enable")) ?? {};
  if ((enabled[languageId] ?? enabled["*"]) === false) return false;
  const isEnterprise = workspace.getConfiguration("github-enterprise").get<unknown>("uri", "") !== "";
  const providers = isEnterprise ? ["github", "github-enterprise"] : ["github"];
  return (await Promise.all(providers.map(hasAccounts))).includes(true);
}

/** Asks for no session, and so for no consent. */
async function hasAccounts(provider: string): Promise<boolean> {
  try {
    return (await authentication.getAccounts(provider)).length > 0;
  } catch {
    return false;
  }
}
