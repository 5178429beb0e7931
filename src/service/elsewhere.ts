/** Where the programs of a service run, if not on this machine: in a container. */
import type { SandboxRequest } from "../base/sandbox-request.ts";
import type { Transport } from "../transport/transport.ts";

export interface Elsewhere {
  /** How messages name it. */
  readonly name: string;
  /** The directory that others are relative to, and the default. */
  readonly home: string;
  /** What runs a command line there. */
  readonly shell: string;
  /** A shell that can keep its state between commands, named after its kind. */
  keptShell(): Promise<string>;
  /** Throws `SANDBOX_UNAVAILABLE` if programs there cannot run in this sandbox. */
  transportFor(sandbox: SandboxRequest | undefined): Transport;
  /**
   * Rejects with `DIRECTORY_NOT_FOUND` if a command cannot run in the directory. Undefined if it cannot be known before
   * the session starts: then the shell reports it.
   */
  readonly requireDirectory?: ((path: string) => Promise<void>) | undefined;
  /** Call when all sessions have ended. */
  close(): Promise<void>;
}
