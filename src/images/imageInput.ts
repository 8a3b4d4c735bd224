import { asObject } from "../base/json.ts";

/** The tool's input, as declared in package.json. */
export interface ImageInput {
  readonly prompt: string;
  readonly size?: string;
}

/** Validates the input. Throws a message for the model, because models may ignore the schema. */
export function readImageInput(input: unknown): ImageInput {
  const fields = asObject(input);
  if (!fields) throw wrong("The input must be an object.");
  const { prompt, size } = fields;
  if (typeof prompt !== "string" || prompt.trim() === "") throw wrong('"prompt" must be a text that is not empty.');
  if (size === undefined || size === null || size === "") return { prompt };
  if (typeof size !== "string" || !/^\d{2,5}x\d{2,5}$/.test(size)) {
    throw wrong('"size" must be width and height in pixels, such as 1024x1024, or be left out.');
  }
  return { prompt, size };
}

function wrong(what: string): Error {
  return new Error(`No image was made. ${what}`);
}
