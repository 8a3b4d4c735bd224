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
