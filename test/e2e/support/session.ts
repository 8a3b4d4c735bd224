import { after, afterEach, before, beforeEach } from "mocha";
import { type LocalGateway, startGateway } from "../../support/gateway/gateway.ts";
import { connectedTo } from "../../support/host/connectedTo.ts";
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

/** Hands over the shared session before each test of a block; after each, the editor in front is closed unsaved. */
export function withEditorInFront(take: (session: Session) => void): void {
  let session: Session | undefined;
  beforeEach(async () => {
    session = await sharedSession();
    take(session);
  });
  afterEach(async () => {
    await session?.gateway.reset();
    await session?.workbench.runCommand("View: Revert and Close Editor");
  });
}

/** Ends the session that all files share. */
export async function endSharedSession(): Promise<void> {
  for (const session of started.splice(0)) await (await session)[Symbol.asyncDispose]();
}

/** Starts a session for the tests of a block alone, tidies it up before each of them and ends it after the last. */
export function withOwnSession(
  options: (gateway: LocalGateway) => WorkbenchOptions,
  prepare: (session: Session) => unknown,
): void {
  let session: Session | undefined;
  before(async () => {
    session = await start(options);
    await prepare(session);
  });
  beforeEach(async () => {
    if (session) await tidyUp(session);
  });
  after(() => session?.[Symbol.asyncDispose]());
}

async function startShared(): Promise<Session> {
  const session = await start(connectedTo);
  // Keys that an extension brings do nothing in a window that has not read its manifest yet.
  await session.workbench.statusBarItem(/primary$/).waitFor();
  return session;
}

async function start(options: (gateway: LocalGateway) => WorkbenchOptions): Promise<Session> {
  await using cleanup = new AsyncDisposableStack();
  const gateway = cleanup.use(await startGateway());
  const workbench = await openWorkbench(options(gateway));
  cleanup.defer(() => workbench.close());
  const running = cleanup.move();
  return { workbench, gateway, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The gateway without faults and requests, the window as a new test expects it. */
async function tidyUp({ workbench, gateway }: Session): Promise<void> {
  await gateway.reset();
  await workbench.tidyUp();
}
