/** HTML, as created by `html`. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: text, which is escaped, HTML, or a list of these. `undefined` and `false` are omitted. */
type Value = string | number | false | undefined | Html | readonly Value[];

/** A tagged template for HTML. Escapes values, in content and in quoted attributes, unless they are `Html`. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(textOf)));
}

function textOf(value: Value): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(textOf).join("");
  return escapeHtml(String(value));
}

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
