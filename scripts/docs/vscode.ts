/** The parts of VS Code's API that the texts of failures need, for `npm run docs`. */

/** The translations in use, by the English text; English without them. */
export const translations = new Map<string, string>();

export const l10n = {
  t: (text: string, ...values: readonly unknown[]): string =>
    (translations.get(text) ?? text).replace(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)])),
};

/** The settings, without values. */
export const workspace = { getConfiguration: (): object => ({ get: () => undefined }) };

/** Actions and times name these, but no table runs them. */
export const [commands, env] = [{}, {}];
