/** Runs the client of an engine, such as `docker exec -it`, in a terminal of this machine or on pipes. */
import { setTimeout as sleep } from "node:timers/promises";
import { deferred } from "../../base/async/deferred.ts";
import type { Exit } from "../../base/exit.ts";
import { spawnProgram } from "../../pty/spawn-program.ts";
import { openLocally } from "../local/local-transport.ts";
import type { Channel, ChannelOptions } from "../transport.ts";
import { ClientWords } from "./client-words.ts";
import type { ExecWords } from "./exec-words.ts";

interface ClientParts {
  /** The options of the program. */
  readonly given: ChannelOptions;
  /** The pid of the program, once it has been found. */
  readonly contained: () => number | undefined;
  /** Called with messages of the client itself. On pipes, these are part of the stderr of the program. */
  readonly onWords: (bytes: Uint8Array) => void;
}

export interface ContainerClient {
  readonly channel: Channel;
  /** Like those of the channel, but after the last messages of the client. */
  readonly exited: Promise<Exit>;
  readonly outputEnded: Promise<void>;
  /** Resolves if the client could not set the size of the terminal. */
  readonly notResized: Promise<void>;
}

/** The pauses between attempts. Even a slow engine has started the program before the last one. */
const REMINDERS_MS = [500, 1_000, 2_000, 4_000, 8_000];

export async function openClient({ argv, env }: ExecWords, parts: ClientParts): Promise<ContainerClient> {
  const { given, contained, onWords } = parts;
  const [program = "", ...args] = argv;
  const notResized = deferred<void>();
  const words = given.tty ? new ClientWords({ deliver: onWords, onNotResized: () => notResized.resolve() }) : undefined;
  const spawn: typeof spawnProgram = (options, stdio, group) =>
    spawnProgram(options, words && stdio.kind === "terminal" ? { ...stdio, stderr: words.theirs } : stdio, group);
  const { size, tty, onOutput } = given;
  const own = { program, args, cwd: "/", env: { ...env, TERM: given.env["TERM"] ?? "dumb" }, size, tty, onOutput };
  try {
    const channel = await openLocally(own, { contained, spawn });
    const exited = channel.exited.then((exit) => {
      words?.end();
      return exit;
    });
    const outputEnded = Promise.all([channel.outputEnded, exited]).then(() => undefined);
    return { channel, exited, outputEnded, notResized: notResized.promise };
  } catch (error) {
    words?.end();
    throw error;
  } finally {
    words?.started();
  }
}

/** Makes the client set the size of the terminal again. */
export async function remindOfSize({ channel }: ContainerClient): Promise<void> {
  for (const pauseMs of REMINDERS_MS) {
    await sleep(pauseMs, undefined, { ref: false });
    await channel.signal("SIGWINCH", "program");
  }
}
