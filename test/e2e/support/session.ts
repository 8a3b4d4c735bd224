import { afterEach, before, beforeEach, type Test } from "mocha";
import { type LocalGateway, startGateway } from "../../support/gateway/gateway.ts";
import { reply as usualReply } from "../../support/gateway/reply.ts";
import { connectedTo } from "../../support/host/profile.ts";
import { openWorkbench, type Workbench, type WorkbenchOptions } from "./workbench.ts";

/** A VS Code, and the gateway behind it. */
export interface Session {
  readonly workbench: Workbench;
  readonly gateway: LocalGateway;
}

/** What a window starts with. What it makes for the window ends with the session. */
type WindowOptions = (
  gateway: LocalGateway,
  cleanup: AsyncDisposableStack,
) => WorkbenchOptions | Promise<WorkbenchOptions>;

/** Options of a session. */
interface SessionOptions {
  /** What the model replies. */
  readonly reply?: typeof usualReply;
  /** Each test continues where the one before ended, so only a second attempt of the first one starts in a new window. */
  readonly isSequence?: boolean;
}

/** What most tests use: both entries, both keys, and no lists of words while somebody types. */
export function connected(gateway: LocalGateway): WorkbenchOptions {
  return connectedTo(gateway, { "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" } });
}

/** The session that is open in this process. */
const open: {
  session?: Session & AsyncDisposable;
  options?: WindowOptions;
  reply?: typeof usualReply | undefined;
  /** Whether a test has failed there. */
  isSpoiled?: boolean;
} = {};

/**
 * Runs the tests of a block in a session, tidied up before each of them. Blocks of the same file with the same window
 * options share one. After a failed test the next one gets a new session.
 */
export function withSession(
  options: WindowOptions,
  prepare: (session: Session) => unknown,
  { reply, isSequence = false }: SessionOptions = {},
): void {
  let hasContinued = false;
  const begin = async (): Promise<void> => {
    open.reply = reply;
    if (open.session && open.options === options && !open.isSpoiled)
      await open.session.workbench.close("Close All Editors");
    else await openSession(options);
    if (open.session) await prepare(open.session);
  };
  before(begin);
  beforeEach(async () => {
    if (open.isSpoiled && !hasContinued) await begin();
    open.isSpoiled = false;
    if (open.session) await tidyUp(open.session);
  });
  afterEach(function () {
    open.isSpoiled = hasFailed(this.currentTest);
    hasContinued ||= isSequence && !open.isSpoiled;
  });
}

async function openSession(options: WindowOptions): Promise<void> {
  await endSession();
  await using cleanup = new AsyncDisposableStack();
  const gateway = cleanup.use(
    await startGateway({ reply: (conversation) => (open.reply ?? usualReply)(conversation) }),
  );
  const chosen = await options(gateway, cleanup);
  const workbench = cleanup.use(await openWorkbench(chosen));
  // With other extensions, this one is missing, or a test installs it.
  if (chosen.extensions === undefined) await workbench.waitUntilActive();
  const running = cleanup.move();
  open.session = { workbench, gateway, [Symbol.asyncDispose]: () => running.disposeAsync() };
  open.options = options;
  open.isSpoiled = false;
}

/** Ends the session that is open. */
export async function endSession(): Promise<void> {
  const { session } = open;
  delete open.session;
  await session?.[Symbol.asyncDispose]();
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
