import fc from "fast-check";
import { keys } from "./bench.ts";

/** One change to a JSON value: the position, and the new value. */
export interface Mutation {
  /** The position, as a number modulo the number of positions. */
  readonly at: number;
  readonly change: "delete" | "replace" | "wrap" | "rename";
  readonly value: unknown;
  readonly name: string;
}

/** Placeholder for endlessly nested lists, which overflow the stack of `JSON.stringify` and fast-check. */
const deep = "<deep>";
const depth = 20_000;

/** Invalid values for any position: other types, names of Object's own, huge, deep, a key. */
const oddValues = fc.constantFrom<unknown>(
  ...[null, true, false, 0, -1, 1e308, 2 ** 53, "", " ", "x".repeat(5_000), "\ud800", "\u0000", {}, [], [null], [[]]],
  ...["constructor", "__proto__", "toString", "hasOwnProperty", "error", "stop", "length", "failed", "in_progress"],
  ...[{ error: { code: "overloaded_error" } }, { length: 1e9 }, { toString: 1, valueOf: 1 }, { type: "text", text: 1 }],
  deep,
  ...Object.values(keys).flatMap((key) => [key, `req_${key}`, `Bearer ${key}`, `${key.slice(0, 9)}…`]),
);

const oddNames = fc.constantFrom("__proto__", "constructor", "toString", "error", "type", "text", "delta", keys.codex);

/** Changes that do not duplicate or add text. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    at: fc.nat(),
    change: fc.constantFrom("delete", "replace", "wrap", "rename"),
    value: oddValues,
    name: oddNames,
  }),
  { maxLength: 4 },
);

type Place = readonly [holder: Record<string, unknown>, name: string];

/** A changed copy of a JSON value. */
export function mutated<T extends object>(value: T, changes: readonly Mutation[]): T {
  const copy = structuredClone(value);
  for (const { at, change, value: odd, name } of changes) {
    const places = placesIn(copy);
    const place = places[at % places.length];
    if (place === undefined) continue;
    const [holder, key] = place;
    const old = holder[key];
    if (change === "replace") holder[key] = odd;
    else if (change === "wrap") holder[key] = at % 2 === 0 ? [old] : { value: old };
    else if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else Reflect.deleteProperty(holder, key);
    if (change === "rename" && !Array.isArray(holder)) Object.defineProperty(holder, name, { ...own, value: old });
  }
  return copy;
}

const own = { configurable: true, enumerable: true, writable: true };

/** Every position in a value, except inside endlessly nested lists. */
function placesIn(value: object, level = 0): readonly Place[] {
  if (level > 20) return [];
  return Object.entries(value).flatMap(([name, inner]): readonly Place[] => [
    [value as Record<string, unknown>, name],
    ...(typeof inner === "object" && inner !== null ? placesIn(inner as object, level + 1) : []),
  ]);
}

/** The JSON of a value, with endlessly nested lists in place of the placeholder. */
export function deepJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(JSON.stringify(deep), `${"[".repeat(depth)}${"]".repeat(depth)}`);
}
