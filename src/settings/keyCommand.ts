import { unlessAborted } from "../gateway/abort.ts";
import type { KeyUse } from "../gateway/types.ts";
import { asObject, parseJson } from "../base/json.ts";

/** A program and its arguments; empty if none is set. */
export type Command = readonly string[];

/** Dependencies of a key command. Times are in milliseconds. */
export interface KeyCommandOptions {
  readonly command: () => Command;
  /** How long a key without an expiry of its own is used. */
  readonly lifetime: () => number;
  /** Since the epoch. */
  readonly now: () => number;
  /** Runs the command until the signal aborts, and returns the printed key: `runKeyCommand`. */
  readonly print: (command: Command, options: { readonly signal: AbortSignal }) => Promise<string>;
}

/** A printed key. Times are in milliseconds since the epoch. */
interface Printed {
  readonly key: string;
  /** The command as JSON. */
  readonly by: string;
  readonly printedAt: number;
  readonly expiresAt: number;
}

/** A running command, and the number of requests that wait for its key. It is stopped when that becomes zero. */
interface Run {
  readonly by: string;
  readonly printed: Promise<Printed>;
  readonly stopping: AbortController;
  waiters: number;
}

/** Maximum time before its expiry that a key is renewed. Shorter-lived keys: a tenth of their life. */
const maxMargin = 60_000;

/**
 * A key that a command prints. It is held only in memory, until its own expiry (`exp` of a JSON Web Token, RFC 7519, 4.1.4)
 * or for the time in the settings. The command runs once for all waiting requests.
 */
export class KeyCommand {
  readonly #options: KeyCommandOptions;
  #printed: Printed | undefined;
  #running: Run | undefined;
  /** The last run, if it failed. */
  #failure: { readonly by: string; readonly cause: unknown } | undefined;

  constructor(options: KeyCommandOptions) {
    this.#options = options;
  }

  isSet(): boolean {
    return this.#options.command().length > 0;
  }

  /** The program and its arguments, as they are set now. */
  get command(): Command {
    return this.#options.command();
  }

  /** Identifies this command without its text, which can contain a password. */
  get id(): string {
    // Not imported, because activation loads no module of Node.js.
    return process.getBuiltinModule("node:crypto").hash("sha256", this.#by());
  }

  /**
   * Returns the key. `refused`: a key that the gateway has refused, which is not returned again without running the command.
   * `isAutomatic`: a failed command is not run again, because it may ask for a fingerprint. Throws the reason of `signal` when
   * that aborts.
   */
  async key({ refused, isAutomatic = false, signal }: KeyUse = {}): Promise<string> {
    const by = this.#by();
    const failure = isAutomatic && this.#failure?.by === by ? this.#failure : undefined;
    const printed = this.#printed?.by === by && this.#printed.key !== refused ? this.#printed : undefined;
    const now = this.#options.now();
    // Also if the clock was set back.
    if (printed === undefined || now >= printed.expiresAt || now < printed.printedAt) {
      if (failure) throw failure.cause;
      return (await this.#run(by, signal)).key;
    }
    const margin = Math.min(maxMargin, (printed.expiresAt - printed.printedAt) / 10);
    // In the background. If it fails, the request that finds no valid key runs the command again and reports why.
    if (now >= printed.expiresAt - margin && !failure) this.#run(by).catch(() => undefined);
    return printed.key;
  }

  async renew(signal?: AbortSignal): Promise<void> {
    await this.#run(this.#by(), signal);
  }

  #by(): string {
    return JSON.stringify(this.command);
  }

  async #run(by: string, signal?: AbortSignal): Promise<Printed> {
    signal?.throwIfAborted();
    const run = this.#running?.by === by ? this.#running : this.#start(by);
    run.waiters += 1;
    try {
      return await (signal ? unlessAborted(run.printed, signal) : run.printed);
    } finally {
      run.waiters -= 1;
      if (run.waiters === 0) {
        if (this.#running === run) this.#running = undefined;
        run.stopping.abort();
      }
    }
  }

  #start(by: string): Run {
    const stopping = new AbortController();
    const run = { by, stopping, printed: this.#print(by, stopping.signal), waiters: 0 };
    this.#running = run;
    return run;
  }

  async #print(by: string, signal: AbortSignal): Promise<Printed> {
    const { command, lifetime, now, print } = this.#options;
    this.#failure = undefined;
    const key = await print(command(), { signal }).catch((cause: unknown) => {
      if (!signal.aborted) this.#failure = { by, cause };
      throw cause;
    });
    const printedAt = now();
    const expiresAt = expiryOf(key);
    // With a fast clock, a token seems expired at once, and the command would run for each request.
    const isFresh = expiresAt !== undefined && expiresAt > printedAt;
    this.#printed = { key, by, printedAt, expiresAt: isFresh ? expiresAt : printedAt + lifetime() };
    return this.#printed;
  }
}

/** When a JSON Web Token expires; `undefined` for other keys, and for tokens without `exp`. */
function expiryOf(key: string): number | undefined {
  const [, payload, ...rest] = key.split(".");
  if (payload === undefined || rest.length !== 1) return undefined;
  const { exp } = asObject(parseJson(Buffer.from(payload, "base64url").toString("utf8"))) ?? {};
  return typeof exp === "number" && Number.isFinite(exp) ? exp * 1000 : undefined;
}
