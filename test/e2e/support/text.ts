import type { Locator } from "playwright-core";

/** A whole text, or a pattern that it contains. */
export type TextPattern = string | RegExp;

/** Whether a text matches. */
export function matches(text: string, pattern: TextPattern): boolean {
  return typeof pattern === "string" ? text === pattern : pattern.test(text);
}

/** A text as it is read: editors show spaces as no-break spaces. */
export function readable(text: string): string {
  return text.replaceAll("\u00a0", " ").trim();
}

/** A pattern for locators that takes the whole text and nothing else. */
export function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*$`);
}

/** A text to compare with that of an input, which wraps long lines. */
export function withoutSpaces(text: string): string {
  return text.replace(/\s/g, "");
}

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

/** The little that the driver's functions inside the page need of an element; the project is typed without the DOM. */
export interface PageElement {
  readonly innerText: string;
  readonly textContent: string;
  readonly classList: { contains(name: string): boolean };
  readonly style: { readonly top: string };
  /** Of input fields only. */
  readonly value?: string;
  readonly placeholder?: string;
  readonly type?: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}
