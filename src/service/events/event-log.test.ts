import { expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { EventLog } from "./event-log.ts";
import type { SessionEvent } from "./session-event.ts";

const event = (at: number): SessionEvent => ({
  kind: "started",
  program: "x",
  session: { id: at, name: null, place: null },
  owner: null,
  at,
});

test("a reader gets what happened after its token, once", () => {
  const log = new EventLog();
  log.add(event(1));
  const token = log.token();
  log.add(event(2));
  log.add(event(3));

  expect(log.since(token)).toEqual({ events: [event(2), event(3)], dropped: 0 });
  expect(log.since(log.token())).toEqual({ events: [], dropped: 0 });
});

test("a reader that comes too late learns how many events it lost", () => {
  const log = new EventLog();
  const token = log.token();
  for (let n = 1; n <= 1_500; n += 1) log.add(event(n));

  const { events, dropped } = log.since(token);

  expect([events.length, dropped, events[0]?.at]).toEqual([1_000, 500, 501]);
});

test("a time in which nobody watched counts as a loss, for those who were there before", () => {
  const log = new EventLog();
  log.add(event(1));
  const before = log.token();
  log.noteGap();
  const after = log.token();
  log.add(event(2));

  expect(log.since(before)).toEqual({ events: [event(2)], dropped: 1 });
  expect(log.since(after)).toEqual({ events: [event(2)], dropped: 0 });
});

test("the token of another host is refused", () => {
  expect(codeOfThrown(() => new EventLog().since(new EventLog().token()))).toBe("HOST_GONE");
});
