import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { type Disposable, env, l10n, ThemeIcon, Uri, ViewColumn, type WebviewPanel, window, workspace } from "vscode";
import { openSetting } from "../../failures/actions.ts";
import { UserError } from "../../failures/userError.ts";
import { prefix } from "../../manifest.ts";
import type { Services } from "../../services.ts";
import { asObject } from "../../base/json.ts";
import { textLanguage } from "../../failures/sentences.ts";
import { budgetStates } from "../budget.ts";
import { dayOf, periodsOf, weekStartOf } from "../localDay.ts";
import type { UsageRow } from "../usageRow.ts";
import { pageNumbers } from "./pageTexts.ts";
import { summarize } from "./summary.ts";
import { usageCsv } from "./usageCsv.ts";
import { usagePage } from "./usagePage.ts";

type UsageServices = Pick<Services, "ledger" | "notifier" | "settings">;

/** The page "Usage": one editor per window. */
export class UsagePanel implements Disposable {
  readonly #services: UsageServices;
  readonly #media: Uri;
  #panel: WebviewPanel | undefined;

  /** `media`: the folder with the page's style and script, which are inlined, so that the page loads nothing. */
  constructor(services: UsageServices, media: Uri) {
    this.#services = services;
    this.#media = media;
  }

  /** Opens the page or reveals it, with the latest usage. */
  async show(): Promise<void> {
    // Started before the panel, which takes longer.
    const content = this.#read();
    if (this.#panel) this.#panel.reveal();
    else this.#panel = this.#open();
    await this.#fill(content);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #open(): WebviewPanel {
    const title = l10n.t("Codex Gateway Usage");
    const panel = window.createWebviewPanel(`${prefix}.usage`, title, ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [],
    });
    panel.iconPath = new ThemeIcon("graph");
    let wasVisible = true;
    panel.onDidChangeViewState(() => {
      if (panel.visible && !wasVisible) void this.#run(() => this.#fill());
      wasVisible = panel.visible;
    });
    panel.webview.onDidReceiveMessage((message: unknown) => {
      const run = this.#actions.get(asObject(message)?.action);
      if (run) void this.#run(run);
    });
    panel.onDidDispose(() => {
      this.#panel = undefined;
    });
    return panel;
  }

  readonly #actions: ReadonlyMap<unknown, () => Thenable<unknown>> = new Map<string, () => Thenable<unknown>>([
    ["export", async () => exportUsage(this.#services, await this.#services.ledger.read())],
    ["clear", () => this.#clear()],
    ["prices", () => openSetting("prices").run()],
  ]);

  async #clear(): Promise<void> {
    const clear = l10n.t("Clear");
    const detail = l10n.t(
      "This deletes the usage of all windows on this computer. Export it first if you want to keep it.",
    );
    const options = { modal: true, detail };
    if ((await window.showWarningMessage(l10n.t("Clear the recorded usage?"), options, clear)) !== clear) return;
    await this.#services.ledger.clear();
    await this.#fill();
  }

  async #read() {
    const read = async (name: string): Promise<string> =>
      new TextDecoder().decode(await workspace.fs.readFile(Uri.joinPath(this.#media, name)));
    const [rows, style, script] = await Promise.all([
      this.#services.ledger.read(),
      read("usage.css"),
      read("usage.js"),
    ]);
    return { rows, style, script };
  }

  async #fill(content = this.#read()): Promise<void> {
    const { rows, ...assets } = await content;
    if (!this.#panel) return;
    const { budget, prices } = this.#services.settings();
    const today = dayOf(Date.now());
    const system = Intl.DateTimeFormat().resolvedOptions().locale;
    const periods = periodsOf(today, weekStartOf(env.language, system));
    const page = {
      summaries: periods.map((period) => summarize(rows, period, prices)),
      budgets: budgetStates(rows, { today, budget, prices }),
      hasPrices: prices.models.size > 0,
      isEmpty: rows.length === 0,
    };
    const language = textLanguage();
    const numbers = pageNumbers(language, prices.currency);
    const nonce = randomBytes(16).toString("base64url");
    this.#panel.webview.html = usagePage(page, { l10n, numbers, language, nonce, ...assets });
  }

  /** Runs work that the page has started, outside the error handler of commands. */
  #run(work: () => Thenable<unknown>): Promise<unknown> {
    const retry = (): Promise<unknown> => this.#run(work);
    return this.#services.notifier.run({ name: "showUsage", keyGroup: "codex", retry }, work);
  }
}

/** Saves the recorded usage to a file that the user chooses. */
async function exportUsage({ settings, notifier }: UsageServices, rows: readonly UsageRow[]): Promise<void> {
  const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir());
  const file = await window.showSaveDialog({
    title: l10n.t("Export Usage"),
    defaultUri: Uri.joinPath(folder, `codex-gateway-usage-${dayOf(Date.now())}.csv`),
    filters: { CSV: ["csv"] },
  });
  if (file === undefined) return;
  await saveUsage(file, usageCsv(rows, settings().prices));
  const open = { title: l10n.t("Open"), run: () => window.showTextDocument(file) };
  await notifier.inform(l10n.t("The usage was exported. It contains no prompts."), open);
}

/** Writes the file. Throws `UserError` of kind `exportNotSaved`. */
export async function saveUsage(file: Uri, csv: string): Promise<void> {
  try {
    await workspace.fs.writeFile(file, new TextEncoder().encode(csv));
  } catch (cause) {
    throw new UserError("exportNotSaved", { subject: file.fsPath, cause });
  }
}
