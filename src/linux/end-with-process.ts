/**
 * Ends everything this process started when this process ends: on exit, on an uncaught error, and on signals that would
 * end it. SIGKILL cannot be handled. After it, the next limpet process ends the programs that are left in control
 * groups.
 *
 * If the application listens for a signal itself, limpet leaves that signal to it and acts only on the exit that
 * follows.
 */

interface Closable {
  killNow(): void;
}

/**
 * Shared with other copies of this module in the process, so that they do not mistake each other's listeners for the
 * application's.
 */
const OURS = Symbol.for("limpet.endBySignal");
const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;
const live = new Set<Closable>();

export function endWithProcess(part: Closable): void {
  if (live.size === 0) {
    process.on("exit", endAll);
    for (const signal of SIGNALS) process.on(signal, endBySignal);
  }
  live.add(part);
}

export function forget(part: Closable): void {
  live.delete(part);
  if (live.size > 0) return;
  process.off("exit", endAll);
  for (const signal of SIGNALS) process.off(signal, endBySignal);
}

function endAll(): void {
  for (const part of live) {
    try {
      part.killNow();
    } catch {
      // One failure must not stop the others from being ended.
    }
  }
}

function endBySignal(signal: NodeJS.Signals): void {
  if (!process.listeners(signal).every((listener) => OURS in listener)) return;
  endAll();
  process.off(signal, endBySignal);
  process.kill(process.pid, signal);
}
endBySignal[OURS] = true;
