import type { Locator } from "playwright-core";
import type { PageElement } from "./pageElement.ts";

/** The lines in view of an editor or an input, from top to bottom, which is not their order in the page. */
export async function textsOf(lines: Locator): Promise<readonly string[]> {
  const texts = await lines.evaluateAll((elements: PageElement[]) =>
    elements
      .map((line) => ({ top: parseFloat(line.style.top), text: line.textContent }))
      .sort((one, other) => one.top - other.top)
      .map(({ text }) => text),
  );
  return texts.map((text) => text.replaceAll("\u00a0", " "));
}
