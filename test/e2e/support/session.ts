import { after, afterEach, before, beforeEach, type Test } from "mocha";
import { type LocalGateway, startGateway } from "../../support/gateway/gateway.ts";
import type { GatewayStart } from "../../support/gateway/types.ts";
import { connectedTo } from "../../support/host/profile.ts";
import { openWorkbench, type Workbench, type WorkbenchOptions } from "./workbench.ts";

/** A VS Code that end-to-end tests share, and the gateway behind it. Disposing ends both. */
export interface Session extends AsyncDisposable {
  readonly workbench: Workbench;
  readonly gateway: LocalGateway;
}

const started: Promise<Session>[] = [];

/**
 * The session that all files share, tidied up. The first test that asks starts it. Tests that need other settings,
 * another environment or no keys have one of their own.
 */
export async function sharedSession(): Promise<Session> {
  if (started.length === 0) started.push(startShared());
  const session = await (started[0] ?? startShared());
  await tidyUp(session);
  return session;
}

/** Ends the session that all files share; the next test that asks starts a new one. */
export async function endSharedSession(): Promise<void> {
  for (const session of started.splice(0)) {
    const running = await session.catch(() => undefined);
    await running?.[Symbol.asyncDispose]();
  }
}

/** How a block's own session differs from the usual. */
export interface OwnSession {
  /** What the model says. */
  readonly reply?: GatewayStart["reply"];
  /** Each test goes on where the one before ended, so that a failed one cannot start with a new window. */
  readonly isSequence?: boolean;
}

/**
 * Starts a session for the tests of a block alone, tidies it up before each of them and ends it after the last. After a
 * failed test the next one gets a new session. What `options` makes for the window ends with the session.
 */
export function withOwnSession(
  options: (gateway: LocalGateway, cleanup: AsyncDisposableStack) => WorkbenchOptions | Promise<WorkbenchOptions>,
  prepare: (session: Session) => unknown,
  { reply, isSequence = false }: OwnSession = {},
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

async function startShared(): Promise<Session> {
  const session = await start((gateway) => connectedTo(gateway, { "codexGateway.chat.findContext": true }));
  // Keys that an extension brings do nothing in a window that has not read its manifest yet.
  await session.workbench.waitUntilActive();
  return session;
}

async function start(options: Parameters<typeof withOwnSession>[0], reply?: OwnSession["reply"]): Promise<Session> {
  await using cleanup = new AsyncDisposableStack();
  const gateway = cleanup.use(await startGateway({ ...(reply && { reply }) }));
  const workbench = cleanup.use(await openWorkbench(await options(gateway, cleanup)));
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
