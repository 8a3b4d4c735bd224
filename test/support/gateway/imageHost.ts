import { page, Refusal } from "./refusal.ts";
import type { Handler, OperationContext } from "./entry.ts";
import type { Exchange } from "./exchange.ts";
import { paint, type Picture } from "./png.ts";
import { ServerScript } from "./script.ts";
import { sendJson, tokensIn } from "./textHandler.ts";
import { invalid } from "./textRequest.ts";

/** The image host, on a third origin: stores images, and redirects from the links in answers to the files. */
export class ImageHost {
  /** Faults are statuses; `delay` is the time before the headers, in milliseconds. */
  readonly script = new ServerScript<{ readonly status: number }, { readonly delay: number }>({ delay: 0 });
  readonly #pictures = new Map<string, Picture>();

  /** Stores an image and returns the path of its link. */
  publish(id: string, picture: Picture): string {
    this.#pictures.set(id, picture);
    return `/links/${id}.png`;
  }

  /** Answers a request, or breaks its connection. */
  async answer(exchange: Exchange): Promise<void> {
    const { modes } = this.script;
    const [, folder, id] = /^\/(links|files)\/(.+)\.png$/.exec(exchange.record.path) ?? [];
    const picture = this.#pictures.get(id ?? "");
    try {
      await exchange.pause(modes.delay);
      if (folder === undefined || id === undefined || !picture) sendPage(exchange, 404, "Not Found");
      else if (!/^(GET|HEAD)$/.test(exchange.record.method)) sendPage(exchange, 405, "Method Not Allowed");
      else if (folder === "links") exchange.send(302, { location: `/files/${id}.png` }, "");
      else await this.#sendFile(exchange, picture);
    } catch (error) {
      if (!exchange.signal.aborted) throw error;
    }
  }

  async #sendFile(exchange: Exchange, picture: Picture): Promise<void> {
    const { status } = this.script.take(() => true) ?? {};
    if (status !== undefined) sendPage(exchange, status, status === 403 ? "The link has expired" : `Status ${status}`);
    else exchange.send(200, { "content-type": "image/png" }, await paint(picture));
  }
}

function sendPage(exchange: Exchange, status: number, title: string): void {
  exchange.send(status, { "content-type": "text/html; charset=utf-8" }, page(title));
}

/** `/v1/images/generations`. `publish` stores an image on the image host and returns its address. */
export function imageHandler(publish: (id: string, picture: Picture) => string): Handler {
  return async (context) => {
    const { exchange, fault, id } = context;
    const picture = pictureOf(context);
    exchange.record.processed = true;
    const count = fault?.image === "several" ? 3 : 1;
    const urls = Array.from({ length: count }, (_, index) => publish(count > 1 ? `${id}-${index + 1}` : id, picture));
    const output = Math.ceil((picture.width * picture.height) / 256);
    const input = tokensIn(picture.prompt);
    const usage = { total_tokens: input + output, input_tokens: input, output_tokens: output };
    await sendJson(context, { created: Math.floor(Date.now() / 1000), data: urls.map((url) => ({ url })), usage });
  };
}

function pictureOf({ body, modes }: OperationContext): Picture {
  const { model, prompt, size = "1024x1024" } = body;
  if (model !== "gpt-image-2")
    throw new Refusal(404, "model_not_found", `The model '${String(model)}' does not exist.`, "model");
  if (typeof prompt !== "string" || prompt.trim() === "") throw invalid("prompt", "'prompt' must not be empty.");
  const [, width, height] = (typeof size === "string" ? /^(\d+)x(\d+)$/.exec(size) : undefined) ?? [];
  if (typeof size !== "string" || width === undefined) throw invalid("size", "'size' must be '<width>x<height>'.");
  if (!modes.sizes.includes(size)) throw invalid("size", `The upstream does not support the size ${size}.`);
  return { prompt, width: Number(width), height: Number(height) };
}
