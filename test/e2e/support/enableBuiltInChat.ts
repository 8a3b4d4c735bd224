import type { Page } from "playwright-core";

/** Runs `change` on the table of the page's database in which VS Code keeps the state of all windows. */
const inDatabase = (change: string): string => `new Promise((resolve, reject) => {
  const opening = indexedDB.open("vscode-web-state-db-global");
  opening.onupgradeneeded = () => opening.result.createObjectStore("ItemTable");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const transaction = opening.result.transaction("ItemTable", "readwrite");
    const table = transaction.objectStore("ItemTable");
    ${change};
    transaction.onerror = () => reject(transaction.error);
    transaction.oncomplete = () => resolve(opening.result.close());
  };
})`;

/**
 * Leaves the built-in chat extension switched on in a window that is about to open: once for each profile, VS Code switches
 * it off until somebody sets chat up, and this says that it has done so already (seen in VS Code 1.139.1).
 */
export async function keepBuiltInChat(page: Page, url: string): Promise<void> {
  // A page of the same origin that is not the workbench.
  await page.goto(new URL("/version", url).href);
  await page.evaluate(inDatabase('table.put("true", "builtinChatExtensionEnablementMigration")'));
}

/** Empties the list of switched-off extensions, which has the built-in chat alone; it starts with the next reload. */
export async function enableBuiltInChat(page: Page): Promise<void> {
  await page.evaluate(inDatabase('table.put("[]", "extensionsIdentifiers/disabled")'));
}
