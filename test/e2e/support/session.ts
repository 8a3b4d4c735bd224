import { after, afterEach, before, beforeEach, type Test } from "mocha";
import { type LocalGateway, startGateway } from "../../support/gateway/gateway.ts";
import type { GatewayStart } from "../../support/gateway/types.ts";
import { connectedTo } from "../../support/host/profile.ts";
import { openWorkbench, type Workbench, type WorkbenchOptions } from "./workbench.ts";

/** A VS Code, and the gateway behind it. Disposing ends both. */
export interface Session extends AsyncDisposable {
  readonly workbench: Workbench;
  readonly gateway: LocalGateway;
}

/** Options of a session. */
export interface SessionOptions {
  /** What the model replies. */
  readonly reply?: GatewayStart["reply"];
  /** Each test continues where the one before ended, so a second attempt cannot start in a new window. */
  readonly isSequence?: boolean;
}

/** What most tests use: both entries, both keys, and a chat that finds files by itself. */
export function connected(gateway: LocalGateway): WorkbenchOptions {
  return connectedTo(gateway, { "codexGateway.chat.findContext": true });
}

/**
 * Starts a session for the tests of a block, tidies it up before each of them and ends it after the last. After a
 * failed test the next one gets a new session. What `options` makes for the window ends with the session.
 */
export function withSession(
  options: (gateway: LocalGateway, cleanup: AsyncDisposableStack) => WorkbenchOptions | Promise<WorkbenchOptions>,
  prepare: (session: Session) => unknown,
  { reply, isSequence = false }: SessionOptions = {},
): void {
  let session: Session | undefined;
  let isSpoiled = false;
  const begin = async (): Promise<void> => {
    session = await start(options, reply);
    await prepare(session);
  };
  const end = async (): Promise<void> => {
    const ended = session;
    session = undefined;
    await ended?.[Symbol.asyncDispose]();
  };
  before(begin);
  beforeEach(async () => {
    if (isSpoiled && !isSequence) {
      await end();
      await begin();
    }
    isSpoiled = false;
    if (session) await tidyUp(session);
  });
  afterEach(function () {
    isSpoiled = hasFailed(this.currentTest);
  });
  after(end);
}

async function start(options: Parameters<typeof withSession>[0], reply?: SessionOptions["reply"]): Promise<Session> {
  await using cleanup = new AsyncDisposableStack();
  const gateway = cleanup.use(await startGateway({ ...(reply && { reply }) }));
  const chosen = await options(gateway, cleanup);
  const workbench = cleanup.use(await openWorkbench(chosen));
  // With other extensions, this one is missing, or a test installs it.
  if (chosen.extensions === undefined) await workbench.waitUntilActive();
  const running = cleanup.move();
  return { workbench, gateway, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The gateway without faults and requests, the window as a new test expects it. */
async function tidyUp({ workbench, gateway }: Session): Promise<void> {
  await gateway.reset();
  await workbench.tidyUp();
}

/** Whether this attempt failed. A test that gets another attempt is not marked as failed by mocha. */
export function hasFailed(test: Test | undefined): test is Test {
  return test !== undefined && test.state !== "passed" && test.state !== "pending";
}
