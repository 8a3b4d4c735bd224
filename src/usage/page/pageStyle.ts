/** The style sheet of the page: colors and fonts are the theme's. */
export const pageStyle = `
body { padding: 4px 24px 32px; max-width: 960px; }
h1 { font-size: 1.7em; font-weight: 600; margin: 16px 0 12px; }
h2 { font-size: 1.25em; font-weight: 600; margin: 16px 0 6px; }
h3, figcaption, caption { font-size: 1em; font-weight: 600; margin: 0 0 6px; padding: 0; text-align: start; }
p { margin: 0 0 6px; line-height: 1.5; }
[hidden] { display: none; }
.note { color: var(--vscode-descriptionForeground); }
.head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 24px; }
[role="tablist"] { display: flex; gap: 16px; }
[role="tab"] {
  background: none; border: 0; border-bottom: 1px solid transparent; color: var(--vscode-panelTitle-inactiveForeground);
  cursor: pointer; font: inherit; padding: 6px 2px;
}
[role="tab"]:hover, [role="tab"][aria-selected="true"] { color: var(--vscode-panelTitle-activeForeground); }
[role="tab"][aria-selected="true"] {
  border-bottom-color: var(--vscode-panelTitle-activeBorder);
  box-shadow: 0 1px var(--vscode-panelTitle-activeBorder);
}
.actions { display: flex; flex-wrap: wrap; gap: 8px; }
.action {
  background: var(--vscode-button-secondaryBackground, transparent); color: var(--vscode-button-secondaryForeground);
  border: 1px solid var(--vscode-contrastBorder, var(--vscode-button-secondaryBorder, transparent)); border-radius: 4px;
  cursor: pointer; font: inherit; padding: 4px 10px;
}
.action:hover { background: var(--vscode-button-secondaryHoverBackground); }
.vscode-high-contrast .action { color: var(--vscode-foreground); }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
.sentence { font-size: 1.1em; }
.budget { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; }
.budget svg { flex: none; width: 160px; }
figure { margin: 16px 0; }
figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 16px; }
.legend { font-weight: normal; }
.legend svg { width: 10px; height: 10px; margin-inline-start: 12px; }
svg { direction: ltr; display: block; overflow: visible; }
.legend svg { display: inline; }
rect.in { fill: var(--vscode-charts-blue); }
rect.out { fill: var(--vscode-charts-yellow); }
rect.near { fill: var(--vscode-charts-yellow); }
rect.over { fill: var(--vscode-charts-red); }
rect.track { fill: var(--vscode-charts-lines); opacity: 0.3; }
.vscode-high-contrast rect { stroke: var(--vscode-contrastBorder); stroke-width: 1px; }
.vscode-high-contrast rect.track { fill: none; opacity: 1; }
line.axis { stroke: var(--vscode-charts-foreground); }
line.grid { stroke: var(--vscode-charts-lines); stroke-dasharray: 2 4; }
text { fill: var(--vscode-charts-foreground); font-size: 0.85em; }
text.scale { paint-order: stroke; stroke: var(--vscode-editor-background); stroke-width: 3px; }
text.day { text-anchor: middle; }
.parts { display: grid; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); gap: 16px 48px; margin: 16px 0 24px; }
.parts ul { list-style: none; margin: 0; padding: 0; }
.parts li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; margin-bottom: 8px; }
.name { overflow-wrap: anywhere; }
.parts svg { margin-top: 3px; }
.table { overflow-x: auto; margin: 0 0 24px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 0 4px 12px; text-align: end; font-weight: normal; white-space: nowrap; }
th:first-child { padding-inline-start: 0; text-align: start; white-space: normal; overflow-wrap: anywhere; min-width: 9em; }
thead th { color: var(--vscode-descriptionForeground); vertical-align: bottom; white-space: normal; }
thead tr, tbody tr { border-bottom: 1px solid var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-editorWidget-border))); }
tbody tr:hover { background: var(--vscode-list-hoverBackground); }
.news { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
