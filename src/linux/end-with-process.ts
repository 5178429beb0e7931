/**
 * When this process ends, everything that it started ends too: on exit, on an uncaught error, and on the signals
 * that would end it. (Nothing can be done about SIGKILL here; the next start ends what that left in control groups.)
 *
 * A signal for which the application has a listener of its own is the application's: we only act on the exit that follows.
 */

interface Closable {
  killNow(): void;
}

/** Shared with other copies of this module in the process, which must not take one another for the application. */
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
      // One that cannot be ended must not spare the others.
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
