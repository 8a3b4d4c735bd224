import { gatewaySettings, readSettings } from "../../src/settings/settings.ts";

/** The settings where the user has set none. */
export const allPlainSettings = readSettings(() => ({ get: () => undefined }));

/** The client's part of them. */
export const plainSettings = gatewaySettings(allPlainSettings);
