import { type Ask, newClients } from "./clients.ts";
import { type Group, inTurn, row } from "./rows.ts";

const rounds = { rounds: 40, warmUps: 10 };

/** The limits of the first text, as multiples of raw undici's. */
const limits = { warm: 2, cold: 1.3 };

/** Time to the first piece of text, on a kept connection and on a new one. */
export const firstText: Group = async (url) => {
  const kept = newClients(`${url}/stream/1`);
  const warm = await inTurn(rounds, (side) => timeToText(kept[side]));
  const cold = await inTurn(rounds, (side) => timeToText(newClients(`${url}/stream/1`)[side]));
  const name = (state: string): string => `first text, ${state} connection, vs raw undici`;
  return [
    row(name("warm"), "ms", warm.ours, warm.reference, limits.warm),
    row(name("cold"), "ms", cold.ours, cold.reference, limits.cold),
  ];
};

/** How long it takes until the first text of an answer is there, in milliseconds. */
async function timeToText(ask: Ask): Promise<number> {
  const start = performance.now();
  let first = 0;
  await ask((text) => {
    if (text !== "") first ||= performance.now() - start;
  });
  return first;
}
