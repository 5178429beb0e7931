/** What is left of a channel whose program has ended in another process' hands: nothing but how it ended. */
import type { Exit } from "../base/exit.ts";
import type { Channel } from "./transport.ts";

export function endedChannel(exit: Exit): Channel {
  return {
    pid: null,
    exited: Promise.resolve(exit),
    outputEnded: Promise.resolve(),
    write: async () => 0,
    endInput: () => undefined,
    terminalMode: () => undefined,
    typeUnseen: () => false,
    hasUnreadInput: () => false,
    markProcesses: () => ({ children: [], ticks: 0 }),
    hasDetached: () => false,
    isProgramInForeground: () => false,
    lookForInput: () => undefined,
    isStopped: () => false,
    listening: async () => [],
    resize: () => undefined,
    signal: async () => false,
    pause: () => undefined,
    resume: () => undefined,
    close: async () => ({ ended: [], by: "search", left: [] }),
    running: async () => [],
  };
}
