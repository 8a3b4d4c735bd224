/** What `l10n.t` does where the display language is English. */
export const plainL10n = {
  t: (text: unknown, ...values: unknown[]): string =>
    String(text).replace(/\{(\d+)\}/g, (match, index) =>
      Number(index) in values ? String(values[Number(index)]) : match,
    ),
};
