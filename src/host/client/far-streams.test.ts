import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { LimpetError } from "../../base/limpet-error.ts";
import type { EventPage } from "../../service/events/session-event.ts";
import type { TranscriptPart } from "../../session/transcript-part.ts";
import { farStreams } from "./far-streams.ts";

const lost = () => new LimpetError("LINK_LOST", "Lost.");
const size = { kind: "size", size: { cols: 80, rows: 24 } } as const;
const bytes = (from: number, text: string): TranscriptPart => ({
  kind: "output",
  page: { bytes: Buffer.from(text), from, next: from + text.length, dropped: 0 },
});
const command = { number: 3, command: "ls", from: 2, to: null } as never;

/** Streams that break after each list. */
function breaking<T>(lists: readonly (readonly T[])[]) {
  const asked: unknown[] = [];
  const open = async function* (...args: readonly unknown[]): AsyncGenerator<T, void, undefined> {
    asked.push(args.at(-1));
    yield* lists[asked.length - 1] ?? [];
    if (asked.length < lists.length) throw lost();
  };
  return { asked, open: open as never };
}

async function all<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const values: T[] = [];
  for await (const value of stream) values.push(value);
  return values;
}

test("a transcript continues after the last byte and the last command, and a known size is not repeated", async () => {
  const started = { kind: "started", command } as const;
  const { asked, open } = breaking<TranscriptPart>([
    [size, bytes(0, "ab"), started],
    [size, bytes(2, "cd")],
    [size, bytes(4, "e")],
  ]);

  const parts = await all(
    farStreams({ output: open, transcript: open, events: open }, sleep).transcript(1, { isLive: true }),
  );

  expect(parts).toEqual([size, bytes(0, "ab"), started, bytes(2, "cd"), bytes(4, "e")]);
  expect(asked).toEqual([{ isLive: true }, { isLive: true, from: 2, after: 6 }, { isLive: true, from: 4, after: 6 }]);
});

test("events continue after the last token, and an empty page only has a token", async () => {
  const event = { kind: "frozen", session: { id: 1, name: null, place: null }, owner: null, at: 1 } as const;
  const { asked, open } = breaking<EventPage>([
    [{ events: [], dropped: 0, token: "a:0" }],
    [
      { events: [], dropped: 0, token: "a:0" },
      { events: [event], dropped: 0, token: "a:1" },
    ],
    [{ events: [], dropped: 2, token: "a:9" }],
  ]);

  const pages = await all(farStreams({ output: open, transcript: open, events: open }, sleep).events({}));

  expect(pages.map((page) => [page.events.length, page.dropped])).toEqual([
    [1, 0],
    [0, 2],
  ]);
  expect(asked).toEqual([{ after: null }, { after: "a:0" }, { after: "a:1" }]);
});

test("a stream that fails for another reason ends with it", async () => {
  const failing = async function* (): AsyncGenerator<EventPage, void, undefined> {
    yield { events: [], dropped: 0, token: "a:0" };
    throw new LimpetError("SESSION_NOT_FOUND", "No session.");
  };
  const open = failing as never;

  await expect(
    all(farStreams({ output: open, transcript: open, events: open }, sleep).events({})),
  ).rejects.toMatchObject({
    code: "SESSION_NOT_FOUND",
  });
});
