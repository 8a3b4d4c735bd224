/** Text that is HTML already. Only `html` makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: text, which is escaped, HTML, and lists of it. `undefined` and `false` leave it out. */
type Value = string | number | false | undefined | Html | readonly Value[];

/** A template of HTML. Whatever is put into it, in content or a quoted attribute, stays text unless it is `Html`. */
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
