import { Refusal } from "./complaint.ts";
import type { Handler, Turnaround } from "./entry.ts";
import { tokensIn } from "./frames.ts";
import { sendJson } from "./textHandler.ts";
import { invalid } from "./textRequest.ts";

/** An ordered image. */
export interface Picture {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
}

/** Publishes an image on the image host and returns its address. */
type Publish = (id: string, picture: Picture) => string;

const defaultSize = "1024x1024";

/** `/v1/images/generations`. */
export function imageHandler(publish: Publish): Handler {
  return async (turnaround) => {
    const { exchange, fault, id } = turnaround;
    const picture = pictureOf(turnaround);
    exchange.record.processed = true;
    const count = fault?.image === "several" ? 3 : 1;
    const urls = Array.from({ length: count }, (_, index) => publish(count > 1 ? `${id}-${index + 1}` : id, picture));
    const output = Math.ceil((picture.width * picture.height) / 256);
    const input = tokensIn(picture.prompt);
    const usage = { total_tokens: input + output, input_tokens: input, output_tokens: output };
    await sendJson(turnaround, { created: Math.floor(Date.now() / 1000), data: urls.map((url) => ({ url })), usage });
  };
}

function pictureOf({ body, modes }: Turnaround): Picture {
  const { model, prompt, size = defaultSize } = body;
  if (model !== "gpt-image-2")
    throw new Refusal(404, "model_not_found", `The model '${String(model)}' does not exist.`, "model");
  if (typeof prompt !== "string" || prompt.trim() === "") throw invalid("prompt", "'prompt' must not be empty.");
  const [, width, height] = (typeof size === "string" ? /^(\d+)x(\d+)$/.exec(size) : undefined) ?? [];
  if (typeof size !== "string" || width === undefined) throw invalid("size", "'size' must be '<width>x<height>'.");
  if (!modes.sizes.includes(size)) throw invalid("size", `The upstream does not support the size ${size}.`);
  return { prompt, width: Number(width), height: Number(height) };
}
