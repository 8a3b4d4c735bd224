import { page } from "./complaint.ts";
import type { Exchange } from "./exchange.ts";
import type { Picture } from "./imageHandler.ts";
import { paint } from "./png.ts";
import { ServerScript } from "./script.ts";
import type { ImageHostFault, ImageHostModes } from "./types.ts";

/** The image host, on a third origin: stores images, and redirects from the links in answers to the files. */
export class ImageHost {
  readonly script = new ServerScript<ImageHostFault, ImageHostModes>(usualModes);
  readonly #pictures = new Map<string, Picture>();

  /** Stores an image and returns the path of its link. */
  publish(id: string, picture: Picture): string {
    this.#pictures.set(id, picture);
    return `/links/${id}.png`;
  }

  /** Answers a request, or breaks its connection. */
  async answer(exchange: Exchange): Promise<void> {
    const { modes } = this.script;
    const url = new URL(exchange.record.path, "http://image-host");
    const [, folder, id] = /^\/(links|files)\/(.+)\.png$/.exec(url.pathname) ?? [];
    const picture = this.#pictures.get(id ?? "");
    try {
      await exchange.pause(modes.delay);
      if (folder === undefined || id === undefined || !picture) sendPage(exchange, 404, "Not Found");
      else if (!/^(GET|HEAD)$/.test(exchange.record.method)) sendPage(exchange, 405, "Method Not Allowed");
      else if (folder === "links" && modes.redirects !== 0) redirect(exchange, url, id, modes.redirects);
      else
        await sendFile(
          exchange,
          picture,
          this.script.take(() => true),
        );
    } catch (error) {
      if (!exchange.signal.aborted) throw error;
    }
  }
}

const usualModes: ImageHostModes = { redirects: 1, delay: 0 };

function redirect(exchange: Exchange, url: URL, id: string, redirects: number): void {
  const hop = Number(url.searchParams.get("hop") ?? 0) + 1;
  exchange.send(302, { location: hop >= redirects ? `/files/${id}.png` : `/links/${id}.png?hop=${hop}` }, "");
}

async function sendFile(exchange: Exchange, picture: Picture, fault: ImageHostFault | undefined): Promise<void> {
  if (fault) sendPage(exchange, fault.status, fault.status === 403 ? "The link has expired" : `Status ${fault.status}`);
  else exchange.send(200, { "content-type": "image/png" }, await paint(picture));
}

function sendPage(exchange: Exchange, status: number, title: string): void {
  exchange.send(status, { "content-type": "text/html; charset=utf-8" }, page(title));
}
