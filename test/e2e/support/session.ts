import { type LocalGateway, startGateway } from "../../support/gateway/gateway.ts";
import { connectedTo } from "../../support/host/connectedTo.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

/** The VS Code that the end-to-end tests share, and the gateway behind it. */
export interface Session {
  readonly workbench: Workbench;
  readonly gateway: LocalGateway;
}

const started: Promise<Session>[] = [];

/**
 * The shared session, tidied up: the gateway without faults, the window without notifications. The first test that asks
 * starts it. Tests that need other settings, another environment or no keys open a workbench of their own.
 */
export async function sharedSession(): Promise<Session> {
  if (started.length === 0) started.push(start());
  const session = await (started[0] ?? start());
  await session.gateway.reset();
  await session.workbench.tidyUp();
  return session;
}

/** Ends the shared session. */
export async function endSharedSession(): Promise<void> {
  for (const session of started.splice(0)) {
    const { workbench, gateway } = await session;
    await workbench.close();
    await gateway.close();
  }
}

async function start(): Promise<Session> {
  const gateway = await startGateway();
  try {
    const workbench = await openWorkbench(connectedTo(gateway));
    // Keys that an extension brings do nothing in a window that has not read its manifest yet.
    await workbench.statusBarItem(/primary$/).waitFor();
    return { gateway, workbench };
  } catch (cause) {
    await gateway.close();
    throw cause;
  }
}
