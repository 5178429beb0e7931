import type { Channel, ChannelOptions, Origin, Transport } from "../../src/transport/transport.ts";

/** Small programs that each transport must be able to run in its own way. */
export interface Scenarios {
  /** Prints "hello\n" and exits with 7. */
  readonly printsAndExits: Opening;
  /** Prints "ready\n", then each line typed as "got LINE\n"; "quit" ends it with 0. */
  readonly answersLines: Opening;
  /** Prints "ready\n", ignores HUP and TERM and never ends. */
  readonly ignoresTerm: Opening;
  /** Exits with 3 and leaves something behind that prints "late\n" on SIGUSR1. */
  readonly leavesHolder: Opening;
  /** Prints 1,000,000 bytes "x" and exits with 0. */
  readonly printsMuch: Opening;
  /** Prints "ready\n" and at each change of its size "COLS ROWS\n". */
  readonly tellsSize: Opening;
  /** Prints its arguments, each in brackets, and the variable GREETING, and exits with 0. */
  readonly tellsArguments: Opening;
  /** Prints "ready\n" with echo off, then waits for a line. */
  readonly asksPassword: Opening;
  /** On pipes: "out\n" to stdout, "err\n" to stderr, then copies stdin to stdout until it is closed, and exits with 0. */
  readonly copiesStdin: Opening;
}

/** How a scenario is started. */
export interface Opening {
  readonly transport: Transport;
  readonly options?: Partial<ChannelOptions>;
}

export interface Opened {
  readonly channel: Channel;
  readonly seen: { text: string; origins: Set<Origin> };
  /** Waits until `part` was printed. */
  until(part: string): Promise<void>;
}

export const DEADLINE_MS = 20_000;

export async function open({ transport, options }: Opening, overrides: Partial<ChannelOptions> = {}): Promise<Opened> {
  const seen = { text: "", origins: new Set<Origin>() };
  const wakes = new Set<() => void>();
  const channel = await transport.open({
    program: "scenario",
    args: [],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    size: { cols: 80, rows: 24 },
    tty: true,
    ...options,
    ...overrides,
    onOutput: (bytes, origin) => {
      seen.text += Buffer.from(bytes).toString("latin1").replaceAll("\r", "");
      seen.origins.add(origin);
      for (const wake of wakes) wake();
    },
  });
  const until = (part: string) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no ${part} in ${seen.text.slice(-200)}`)), DEADLINE_MS);
      const wake = () => {
        if (!seen.text.includes(part)) return;
        clearTimeout(timer);
        wakes.delete(wake);
        resolve();
      };
      wakes.add(wake);
      wake();
    });
  return { channel, seen, until };
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The same transport, as if nothing could be asked about its programs. */
export function withoutProbe(transport: Transport): Transport {
  return {
    async open(options) {
      return Object.assign(await transport.open(options), { probe: undefined });
    },
  };
}

/** All scenarios, each on what `change` makes of its transport. */
export function mapTransports(scenarios: Scenarios, change: (transport: Transport) => Transport): Scenarios {
  const changed = Object.entries(scenarios).map(([name, opening]: [string, Opening]) => [
    name,
    { ...opening, transport: change(opening.transport) },
  ]);
  return Object.fromEntries(changed) as Scenarios;
}
