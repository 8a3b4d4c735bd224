import type { BudgetState } from "../budget.ts";
import { html, Html } from "../../text/html.ts";
import type { L10n, PageTexts } from "./pageTexts.ts";
import { periodPanel } from "./periodPanel.ts";
import type { Summary } from "./summary.ts";

/** What the page shows. */
export interface UsagePage {
  readonly summaries: readonly Summary[];
  readonly budgets: readonly BudgetState[];
  readonly hasPrices: boolean;
  /** Whether there is nothing at all yet. */
  readonly isEmpty: boolean;
}

/** How the page is made. */
export interface PageFrame {
  readonly l10n: L10n;
  readonly texts: PageTexts;
  /** Language tag of the texts, for screen readers. */
  readonly language: string;
  /** Allows the page's own style and script, and nothing else. */
  readonly nonce: string;
  /** The contents of media/usage.css and media/usage.js. */
  readonly style: string;
  readonly script: string;
}

/** The HTML of the page. It loads nothing, and has all periods, so that switching between them needs no answer. */
export function usagePage(page: UsagePage, { language, nonce, style, script, ...words }: PageFrame): string {
  const { texts } = words;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return html`<!DOCTYPE html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <title>${texts.title}</title>
        <style nonce="${nonce}">
          ${new Html(style)}
        </style>
      </head>
      <body>
        <main>
          <h1>${texts.title}</h1>
          ${page.isEmpty ? html`<p>${texts.nothingYet}</p>` : content(page, words)}
          <p class="note">${texts.keptHere}</p>
        </main>
        <script nonce="${nonce}">
          ${new Html(script)};
        </script>
      </body>
    </html>`.text;
}

type Words = Pick<PageFrame, "l10n" | "texts">;

function content({ summaries, budgets, hasPrices }: UsagePage, words: Words): Html {
  const { actions, period, title } = words.texts;
  const tabs = summaries.map(
    ({ period: { name } }) =>
      html`<button type="button" role="tab" id="tab-${name}" aria-controls="panel-${name}">${period[name]}</button>`,
  );
  const names = ["export", "clear", ...(hasPrices ? [] : (["prices"] as const))] as const;
  return html`<div class="head">
      <div role="tablist" aria-label="${title}">${tabs}</div>
      <div class="actions">
        ${names.map((name) => html`<button type="button" class="action" data-action="${name}">${actions[name]}</button>`)}
      </div>
    </div>
    <p class="news" role="status"></p>
    ${summaries.map((summary) => periodPanel(summary, budgets, words))}`;
}
