import { request } from "undici";
import { gatewayFor } from "./clients.ts";
import { duration, type Group, inTurn, row } from "./rows.ts";

const megabytes = 32;
const rounds = { rounds: 10, warmUps: 2 };

/** The limit, as a multiple of raw undici's time. */
const limit = 1.3;

/** Time that the download of a large image takes. */
export const download: Group = async (url) => {
  const address = `${url}/image/${megabytes}`;
  const gateway = gatewayFor(url);
  const { signal } = new AbortController();
  const sizes = {
    ours: async () => (await gateway.downloadImage(address, signal)).bytes.length,
    reference: async () => (await (await request(address)).body.arrayBuffer()).byteLength,
  };
  const { ours, reference } = await inTurn(rounds, (side) =>
    duration(async () => {
      if ((await sizes[side]()) < megabytes << 20) throw new Error("The file is not whole.");
    }),
  );
  await gateway.dispose();
  return [row(`image of ${megabytes} MB, vs raw undici`, "ms", ours, reference, limit)];
};
