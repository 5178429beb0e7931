import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { until } from "../../test/support/sessions.ts";
import { LONG_MS, open } from "../../test/support/watching.ts";
import { MAX_LIVE_SCREEN_CELLS, SCREEN_SCROLLBACK_LINES } from "../base/limits.ts";
import type { Session } from "../session/session.ts";
import { liveDrawings } from "./drawing/live-drawings.ts";
import { screenOf } from "./screen.ts";
import { waitForScreen } from "./wait-for-screen.ts";

const LARGE = { cols: 500, rows: 500 };
const CELLS_OF_LARGE = LARGE.cols * (LARGE.rows + SCREEN_SCROLLBACK_LINES);

async function openLarge(): Promise<Session> {
  return await open({ program: "cat", size: LARGE });
}

test("a session that is closed takes no memory for its screen, and can still be read", async () => {
  const session = await open({ command: "echo shown; exec cat", shell: "/bin/sh" });
  await waitForScreen(session, { until: "shown", deadlineMs: LONG_MS });
  const before = await screenOf(session).snapshot();
  expect(screenOf(session).isLive).toBe(true);

  await session.close({ force: true });
  await until(() => !screenOf(session).isLive, "the screen is freed");

  expect((await screenOf(session).snapshot()).lines).toEqual(before.lines);
  await until(() => !screenOf(session).isLive, "the screen is freed again");
});

test("the screen of an ended session is freed as soon as that is closed", async () => {
  const session = await open({ command: "echo shown", shell: "/bin/sh" });
  await session.exited;
  await screenOf(session).snapshot();

  await session.close();
  await nextTurn();

  expect(screenOf(session).isLive).toBe(false);
});

test("many large screens of sessions that are looked at and closed leave nothing behind", async () => {
  const before = liveDrawings.count;

  for (let i = 0; i < 30; i++) {
    const session = await openLarge();
    await screenOf(session).snapshot();
    await session.discard({ force: true });
    await until(() => !screenOf(session).isLive, "the screen is freed");
  }

  expect(liveDrawings.count).toBe(before);
});

test("a screen is freed soon after its program has ended, unless somebody watches it", async () => {
  const session = await open({ program: "cat" });
  await screenOf(session).snapshot();
  const watching = screenOf(session).watch(async () => {
    await session.write("\x04");
    await session.exited;
    await screenOf(session).snapshot();
    return screenOf(session).isLive;
  });

  expect(await watching).toBe(true);
  await until(() => !screenOf(session).isLive, "the screen is freed");
});

test("when all live screens are too large together, the one that was seen longest ago is freed and drawn again", async () => {
  const sessions: Session[] = [];
  for (let cells = 0; cells <= MAX_LIVE_SCREEN_CELLS; cells += CELLS_OF_LARGE) {
    const session = await openLarge();
    sessions.push(session);
    await screenOf(session).snapshot();
  }
  const [first, second, ...others] = sessions as [Session, Session, ...Session[]];
  await until(() => !screenOf(first).isLive, "the first screen is freed");

  expect(liveDrawings.cells).toBeLessThanOrEqual(MAX_LIVE_SCREEN_CELLS);
  expect(others.every((session) => screenOf(session).isLive)).toBe(true);
  expect((await screenOf(first).snapshot()).size).toEqual(LARGE);
  await until(() => !screenOf(second).isLive, "the second screen is freed");
  expect(screenOf(first).isLive).toBe(true);
});
