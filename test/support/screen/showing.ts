/** Sessions whose screen shows what a script prints. */
import { expect } from "vitest";
import { screenText } from "../../../src/screen/screen-text.ts";
import type { Snapshot } from "../../../src/screen/snapshot.ts";
import { waitForScreen } from "../../../src/screen/wait-for-screen.ts";
import type { Session } from "../../../src/session/session.ts";
import { LONG_MS, open } from "../watching.ts";

/** Output goes to the terminal as it is. */
export async function showing(script: string, size = { cols: 20, rows: 4 }): Promise<Session> {
  return await open({ command: `stty raw -echo; ${script}`, shell: "/bin/sh", size });
}

export async function shows(session: Session, text: string | RegExp): Promise<Snapshot> {
  const yielded = await waitForScreen(session, { until: text, deadlineMs: LONG_MS });
  expect(yielded, screenText(yielded.snapshot)).toMatchObject({ reason: "matched" });
  return yielded.snapshot;
}
