/** Reports that a call is still waiting, so that the client does not abandon it. */

export interface ProgressOptions {
  readonly everyMs: number;
  readonly notify: (progress: { readonly progress: number; readonly message: string }) => Promise<void>;
}

/** Runs until `stop` is called. `progress` is the number of seconds. */
export function reportProgress({ everyMs, notify }: ProgressOptions): { stop(): void } {
  const startedMs = performance.now();
  const timer = setInterval(() => {
    const seconds = (performance.now() - startedMs) / 1000;
    // A failed report does not end the call.
    notify({ progress: seconds, message: `Waiting for ${Math.round(seconds)} s` }).catch(() => undefined);
  }, everyMs);
  return { stop: () => clearInterval(timer) };
}
