import type { GatewaySettings } from "../../src/gateway/types.ts";

/** Settings that a user has who set nothing. */
export const plainSettings: GatewaySettings = {
  baseUrl: "",
  backupBaseUrl: "",
  allowInsecureHttp: false,
  streaming: "auto",
  toolCalling: "auto",
  proxy: { url: "", noProxy: [], strictSsl: true, authorization: "" },
  certificateFile: "",
};
