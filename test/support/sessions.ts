/** Reading and waiting, as the acceptance tests need it. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "../../src/entries/session.ts";
import { LimpetError, type LimpetErrorCode, type Page } from "../../src/index.ts";

/** Full counts instead of bounded ones. */
export const isLong: boolean = process.env["LIMPET_LONG"] !== undefined;

const LOOK_EVERY_MS = 5;
/** After half a second: looking takes processor time from what is waited for. */
const SLOWEST_LOOK_MS = 50;
export const PATIENCE_MS = 30_000;

/** Waits for a condition, never for a time. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what: string | (() => string),
  patienceMs: number = PATIENCE_MS,
  everyMs: number = LOOK_EVERY_MS,
): Promise<void> {
  const startedMs = performance.now();
  while (!(await isTrue())) {
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > patienceMs)
      throw new Error(`Not within ${patienceMs} ms: ${typeof what === "string" ? what : what()}`);
    await sleep(Math.max(everyMs, Math.min(waitedMs / 10, SLOWEST_LOOK_MS)));
  }
}

/** Looks at the latest part of the output only. */
export async function outputHas(session: Session, text: string, patienceMs: number = PATIENCE_MS): Promise<void> {
  let tail = "";
  const isThere = async () => {
    tail = (await session.readText({ from: Math.max(0, session.endCursor - 16_384) })).text;
    return tail.includes(text);
  };
  await until(isThere, () => `${JSON.stringify(text)} in ${JSON.stringify(tail.slice(-500))}`, patienceMs);
}

export interface Taken {
  readonly bytes: Buffer;
  readonly dropped: number;
}

/**
 * Everything that can be read now, page by page. Each page must begin where the one before ended, or report the gap.
 */
export async function takeAll(session: Session, maxBytes: number = 64 * 1024): Promise<Taken> {
  const parts: Uint8Array[] = [];
  let dropped = 0;
  for (let cursor = 0; cursor < session.endCursor; ) {
    const page = await session.read({ from: cursor, maxBytes });
    requireSound(page, cursor);
    parts.push(page.bytes);
    dropped += page.dropped;
    cursor = page.next;
  }
  return { bytes: Buffer.concat(parts), dropped };
}

/** All output from a generator, checked in the same way. */
export async function followAll(session: Session, onPage: (page: Page) => unknown = () => undefined): Promise<Taken> {
  const parts: Uint8Array[] = [];
  let cursor = 0;
  let dropped = 0;
  for await (const page of session.output()) {
    requireSound(page, cursor);
    parts.push(page.bytes);
    dropped += page.dropped;
    cursor = page.next;
    await onPage(page);
  }
  return { bytes: Buffer.concat(parts), dropped };
}

export function requireSound(page: Page, asked: number): void {
  const isSound =
    page.from === asked + page.dropped && page.next === page.from + page.bytes.length && page.next > asked;
  if (!isSound) throw new Error(`Asked for ${asked}, got ${JSON.stringify({ ...page, bytes: page.bytes.length })}`);
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The error that the promise is rejected with, which must be one of ours. */
export async function errorOf(promise: Promise<unknown>): Promise<LimpetError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in outcome && outcome.error instanceof LimpetError) return outcome.error;
  throw new Error("Expected a LimpetError", { cause: outcome });
}

export async function codeOf(promise: Promise<unknown>): Promise<LimpetErrorCode> {
  return (await errorOf(promise)).code;
}
