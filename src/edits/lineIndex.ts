import type { Budget } from "./budget.ts";
import { runStarts } from "./runStarts.ts";

/** Finds runs of lines in a file, in linear time. */
export class LineIndex {
  readonly #ids = new Map<string, number>();
  /** The positions of each line's text. */
  readonly #positions: number[][] = [];
  readonly #lines: readonly number[];

  constructor(lines: readonly string[]) {
    this.#lines = lines.map((line, position) => {
      const id = this.#ids.get(line) ?? this.#ids.size;
      if (id === this.#ids.size) {
        this.#ids.set(line, id);
        this.#positions.push([]);
      }
      this.#positions[id]?.push(position);
      return id;
    });
  }

  /** Where this line is. */
  positionsOf(line: string): readonly number[] {
    return this.#positions[this.#ids.get(line) ?? -1] ?? [];
  }

  /** Where these lines are in a row. `undefined` if that takes more than the budget. */
  find(lines: readonly string[], budget: Budget): readonly number[] | undefined {
    const ids = lines.map((line) => this.#ids.get(line) ?? -1);
    if (ids.length === 0 || ids.includes(-1)) return [];
    let rarest = 0;
    const countOf = (index: number): number => this.#positions[ids[index] ?? -1]?.length ?? 0;
    for (let index = 1; index < ids.length; index += 1) if (countOf(index) < countOf(rarest)) rarest = index;
    const tries = countOf(rarest) * ids.length;
    const scan = this.#lines.length + ids.length;
    if (!budget.take(Math.min(tries, scan))) return undefined;
    if (tries > scan) return [...runStarts(this.#lines, ids)];
    const starts = (this.#positions[ids[rarest] ?? -1] ?? []).map((position) => position - rarest);
    return starts.filter((start) => start >= 0 && ids.every((id, index) => this.#lines[start + index] === id));
  }
}
