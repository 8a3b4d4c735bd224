import type { Modes } from "./types.ts";

/** The default modes of an entry. */
export const usualModes: Modes = {
  strict: false,
  responsesOnly: "none",
  inputList: true,
  refuses: [],
  errorShape: "openai",
  requestId: true,
  modelList: true,
  forbidden: [],
  imageAccountBound: true,
  modelNotFoundStatus: 404,
  sizes: ["1024x1024", "1536x1024", "1024x1536"],
  ignoresStream: false,
  reasoning: false,
  usage: true,
  finish: "stop",
  headerDelay: 0,
  chunkDelay: 0,
  chunks: 0,
  hold: "no",
};
