import { after, afterEach, before } from "mocha";
import { type Asker, askerFor } from "./asker.ts";
import { type LocalGateway, startGateway } from "./gateway.ts";

/** Starts one gateway for the tests of a block, resets it after each, and closes it after the last. */
export function withGateway(started: (gateway: LocalGateway, ask: Asker) => void): void {
  let running: LocalGateway | undefined;
  before(async () => {
    running = await startGateway();
    started(running, askerFor(running));
  });
  afterEach(() => running?.reset());
  after(() => running?.close());
}
