/** The channel of a program that ended before this process started. It carries no data and has no probe. */
import type { Exit } from "../base/exit.ts";
import type { Channel } from "./transport.ts";

export function endedChannel(exit: Exit): Channel {
  return {
    pid: null,
    exited: Promise.resolve(exit),
    outputEnded: Promise.resolve(),
    write: async () => 0,
    stopWrite: () => undefined,
    endInput: () => undefined,
    resize: () => undefined,
    signal: async () => false,
    pause: () => undefined,
    resume: () => undefined,
    close: async () => ({ ended: [], by: "search", left: [] }),
  };
}
