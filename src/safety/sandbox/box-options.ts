/** The options of a box, and what it provides. */
import type { Restriction } from "../../linux/restrict/landlock.ts";
import type { Pty } from "../../pty/open-pty.ts";
import type { SpawnOptions, Stdio } from "../../pty/spawn-program.ts";
import type { FileRoots } from "../../transport/transport.ts";
import type { Namespaces } from "./namespaces/namespaces.ts";

/** The paths that a box itself has. */
interface BoxPaths extends FileRoots {
  readonly terminals: readonly string[];
  /** Its programs may create any files in it. */
  readonly temporary: string;
}

export interface BoxOptions {
  /** How many programs it can start. Making a thread takes some 20 ms, and each terminal two descriptors. */
  readonly size: number;
  /** The path of the thread's program. */
  readonly worker: string;
  readonly filter: Buffer;
  /** The namespaces in which its programs run; undefined: those of this process. */
  readonly namespaces: Namespaces | undefined;
  /** What its programs may do, given the paths of the box itself. */
  readonly restriction: (own: BoxPaths) => Restriction;
  /** Gets a listener that reports attempts to connect. Default: they are not stopped. */
  readonly onListener?: ((listener: number) => void) | undefined;
}

/** Room for one program. */
export interface Place {
  readonly pty: Pty;
  /** Starts the program in the thread. Blocks the event loop until it has started. */
  readonly spawn: (options: SpawnOptions, stdio: Stdio, group?: number) => number;
  /** Call when the program has ended, or was not started. */
  readonly leave: () => void;
}
