/*
 * The script of the usage page: it shows the chosen period, as the tabs pattern of the ARIA Authoring Practices Guide does,
 * says so to screen readers, and hands clicks on buttons to the extension. Nothing from outside gets into it.
 */
const vscode = acquireVsCodeApi();
const tabs = [...document.querySelectorAll("[role=tab]")];
const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
const select = (tab) => {
  for (const one of tabs) {
    one.setAttribute("aria-selected", String(one === tab));
    one.tabIndex = one === tab ? 0 : -1;
    panelOf(one).hidden = one !== tab;
  }
};
const choose = (tab) => {
  select(tab);
  tab.focus();
  vscode.setState({ tab: tab.id });
  document.querySelector(".news").textContent = panelOf(tab).querySelector(".sentence").textContent;
};
const moves = { ArrowLeft: -1, ArrowRight: 1 };
for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", (event) => {
    const target =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? tabs.length - 1
          : event.key in moves
            ? index + moves[event.key]
            : undefined;
    if (target === undefined) return;
    event.preventDefault();
    choose(tabs.at(target % tabs.length));
  });
}
for (const button of document.querySelectorAll("[data-action]"))
  button.addEventListener("click", () => vscode.postMessage({ action: button.dataset.action }));
const last = tabs.find(({ id }) => id === vscode.getState()?.tab) ?? tabs[0];
if (last) select(last);
