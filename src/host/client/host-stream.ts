/** What a connection to a host runs over: a socket, or stdin and stdout of a command. */
import type { Duplex } from "node:stream";

export interface HostStream extends Duplex {
  /** Whether it keeps this process alive. */
  ref(): unknown;
  unref(): unknown;
}
