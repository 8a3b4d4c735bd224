import type { Page } from "playwright-core";

/** Empties the list of switched-off extensions in the page's database; the built-in chat is the only one on it. */
const script = `new Promise((resolve, reject) => {
  const opening = indexedDB.open("vscode-web-state-db-global");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const transaction = opening.result.transaction("ItemTable", "readwrite");
    transaction.objectStore("ItemTable").put("[]", "extensionsIdentifiers/disabled");
    transaction.onerror = () => reject(transaction.error);
    transaction.oncomplete = () => resolve(opening.result.close());
  };
})`;

/** Switches on the built-in chat extension; it starts with the next reload. */
export async function enableBuiltInChat(page: Page): Promise<void> {
  await page.evaluate(script);
}
