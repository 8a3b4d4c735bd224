import type { GatewaySettings } from "../../src/gateway/types.ts";

/** The default settings. */
export const plainSettings: GatewaySettings = {
  baseUrl: "",
  backupBaseUrl: "",
  allowInsecureHttp: false,
  streaming: "auto",
  toolCalling: "auto",
  proxy: { url: "", noProxy: [], strictSsl: true, authorization: "" },
  certificateFile: "",
};
