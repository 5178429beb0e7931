import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { OpenOptions } from "../../src/session/open/open-options.ts";
import { openSession } from "../../src/session/open/open-session.ts";
import type { Session } from "../../src/session/session.ts";
import type { WaitResult } from "../../src/session/wait/decide-wait.ts";
import { skipTestWithout } from "./needs.ts";
import { isAtPlace } from "./places/is-at-place.ts";

/** Far longer than anything takes: reached only if something is wrong. */
export const LONG_MS = 40_000;

/** A session that ends with the test. */
export async function open(options: OpenOptions): Promise<Session> {
  if ("program" in options) skipTestWithout(options.program);
  // Loaded on first use, because few files run at a place.
  const openThere = isAtPlace() ? (await import("./places/open-at-place.ts")).openAtPlace : openSession;
  const session = await openThere(options);
  onTestFinished(async () => {
    await session.discard({ force: true });
  });
  return session;
}

export function testProgram(name: string): string {
  return fileURLToPath(new URL(`../programs/${name}`, import.meta.url));
}

/** Calls back at the end of the test; `afterAll` is one, too, for what all tests of a file share. */
export type OnEnd = (end: () => void | PromiseLike<void>) => void;

/** A directory that goes with the test. */
export function temporaryDirectory(onEnd: OnEnd = onTestFinished): string {
  const path = mkdtempSync(join(tmpdir(), "limpet-test-"));
  // A program that the test has just cut off may still write there for a moment.
  onEnd(() => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return path;
}

export async function allText(session: Session): Promise<string> {
  let text = "";
  for (let cursor = 0; ; ) {
    const page = await session.readText({ from: cursor });
    if (page.next === cursor) return text;
    text += page.text;
    cursor = page.next;
  }
}

/** The same without control sequences and carriage returns, whether or not it is on the alternate screen. */
export async function plainText(session: Session): Promise<string> {
  return (await allText(session)).replaceAll(/\x1b(\[[?>=0-9;]*[A-Za-z]|[=>78]|[()].)|\r/g, "");
}

/** Waits until the program waits for input, and tells for what. */
export async function waitForInput(session: Session): Promise<string> {
  const yielded = await session.wait({ deadlineMs: LONG_MS });
  expect(yielded, JSON.stringify(await allText(session))).toMatchObject({ reason: "input" });
  return (yielded as WaitResult & { reason: "input" }).waitingFor;
}
