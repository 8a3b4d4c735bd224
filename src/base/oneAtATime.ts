/** A queue of asynchronous work. Each piece starts when the one before has settled. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  async run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return await turn;
  }
}
