/** Recordings of real programs as pictures that move: at every moment they show what the screen showed. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MAX_ANIMATION_BYTES, MAX_STILLS, STILL_INTERVAL_MS } from "../../../src/base/limits.ts";
import { type DrawingOptions, readRecording, recordingSvg, recordSession } from "../../../src/entries/record.ts";
import { renderSvg, type Snapshot, screenOf, waitForScreen } from "../../../src/entries/screen.ts";
import type { Session } from "../../../src/entries/session.ts";
import { fontsFor } from "../../../src/screen/picture/png/fonts-for.ts";
import { renderer } from "../../../src/screen/picture/png/renderer.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { frozenSvg, restingSvg, textsOf } from "../../support/screen/frozen-svg.ts";
import { readBack } from "../../support/screen/recordings.ts";
import { codeOf } from "../../support/sessions.ts";
import { LONG_MS, open, temporaryDirectory } from "../../support/watching.ts";

const STABLE_MS = 150;

/** What a screen showed when nothing had come for a while. */
async function stable(session: Session): Promise<Snapshot> {
  // On a busy machine, a program may take longer than that to react to a key.
  await session.wait({ deadlineMs: LONG_MS });
  for (;;) {
    const { snapshot } = await waitForScreen(session, { stableMs: STABLE_MS, deadlineMs: LONG_MS });
    const shown = await screenOf(session).snapshot({ cells: true });
    // On a busy machine more may have come in between.
    if (shown.cursor === snapshot.cursor) return shown;
  }
}

async function draw(file: string, options: DrawingOptions = {}) {
  return await recordingSvg(await readRecording(file), options);
}

async function pixelsOf(svg: string): Promise<Buffer> {
  const { files } = await fontsFor([]);
  return Buffer.from((await renderer.rasterize(svg, { fonts: files, scale: 1 })).rgba);
}

async function looksLike(one: string, other: string): Promise<boolean> {
  return (await pixelsOf(one)).equals(await pixelsOf(other));
}

/** The time of the last event before each place in the output. */
async function timesOf(file: string, cursors: readonly number[]): Promise<readonly number[]> {
  const { events } = await readBack(file);
  return cursors.map((cursor) => {
    let bytes = 0;
    for (const event of events) {
      if (event.kind === "output") bytes += Buffer.byteLength(event.text);
      if (bytes >= cursor) return event.atMs;
    }
    throw new Error(`No event has byte ${cursor}.`);
  });
}

function written(lines: readonly string[]): string {
  const file = join(temporaryDirectory(), "made.cast");
  writeFileSync(file, lines.join("\n"));
  return file;
}

const HEADER = '{"version":2,"width":80,"height":24}';
const output = (seconds: number, text: string) => JSON.stringify([seconds, "o", text]);

test.each([
  {
    name: "vim",
    command: "vim -u NONE -i NONE -n -c 'syntax on' -c 'set number cursorline' notes.c",
    keys: ["jj", "oputs(\"<a> & 'b' ]]>\");", "\x1b", "kkl", "v", "jj", "\x1b:q!\r"],
  },
  {
    name: "whiptail",
    command: "whiptail --menu Pick 12 40 3 a Apple b Banana c Cherry",
    keys: ["\x1b[B", "\x1b[B", "\t", "\r"],
  },
  { name: "ls in colour", command: "ls -l --color=always / /bin | head -60; read", keys: ["x", "\r"] },
  {
    name: "a progress bar",
    command: 'for i in 20 40 60 80 100; do printf "\\r%3d%% \\e[42m%*s\\e[0m" $i $((i / 4)) ""; read -rsn1; done',
    keys: ["1", "2", "3", "4", "5"],
  },
  {
    name: "wide characters and emoji",
    command: "printf '漢字 \\U1F600 e\\u0301 \\u2592\\u2592 \\e[5 q'; read; printf '\\e[3 q\\e[2;3Hx'; read",
    keys: ["y", "\r", "z", "\r"],
  },
])("a recording of $name shows at every moment what its screen showed", async ({ command, keys }) => {
  skipTestWithout(command.split(" ", 1)[0] ?? "");
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, "notes.c"), '#include <stdio.h>\n\nint main(void) {\n\treturn 0; // "x" & <y>\n}\n');
  const session = await open({
    command,
    shell: "/bin/bash",
    cwd,
    size: { cols: 60, rows: 16 },
    env: { LC_ALL: "C.UTF-8", HOME: cwd },
  });
  const recording = await recordSession(session, { file: join(cwd, "a.cast") });
  const seen: Snapshot[] = [];
  for (const typed of keys) {
    seen.push(await stable(session));
    await session.write(typed);
  }
  await session.ended;
  seen.push(await screenOf(session).snapshot({ cells: true }));
  const { file } = await recording.done;

  const { svg, stills, durationMs } = await draw(file);
  const times = await timesOf(
    file,
    seen.map(({ cursor }) => cursor),
  );

  expect(stills).toBeGreaterThanOrEqual(keys.length);
  for (const [index, snapshot] of seen.entries()) {
    const frozen = frozenSvg(svg, Math.min((times[index] ?? 0) + STABLE_MS / 2, durationMs));
    expect(await looksLike(frozen, renderSvg(snapshot)), snapshot.lines.join("\n")).toBe(true);
    const texts = new Set(textsOf(svg).flatMap((text) => text.split(" ")));
    const lost = textsOf(renderSvg(snapshot)).filter((text) => !text.split(" ").every((word) => texts.has(word)));
    expect(lost).toEqual([]);
  }
  // Where nothing moves, it shows the end.
  expect(await looksLike(restingSvg(svg), renderSvg(seen.at(-1) as Snapshot))).toBe(true);
  expect((await pixelsOf(svg)).length).toBe((60 * 9 + 16) * (16 * 18 + 16) * 4);
});

test("a picture has the largest size that the terminal had, and shows each size in its time", async () => {
  const file = written([
    HEADER.replace("80", "10").replace("24", "3"),
    output(0, "small"),
    '[1, "r", "30x2"]',
    output(1, "\r\x1b[Kwide and low"),
    '[2, "r", "5x6"]',
    output(2, "\x1b[2J\x1b[6;1Hhigh"),
  ]);

  const { svg, width, height, stills } = await draw(file);

  expect({ width, height, stills }).toEqual({ width: 30 * 9 + 16, height: 6 * 18 + 16, stills: 3 });
  expect(textsOf(svg).toSorted()).toEqual(["high", "small", "wide and low"]);
});

test.each([
  { what: "an empty recording", lines: [HEADER] },
  { what: "a recording without output", lines: [HEADER, '[1, "m", "here"]', '[9, "i", "x"]'] },
  { what: "a torn recording", lines: [HEADER, output(1, "").slice(0, -3)] },
])("$what is one picture of an empty screen, which does not move", async ({ lines }) => {
  const { svg, stills } = await draw(written(lines));

  expect(stills).toBe(1);
  expect(svg).not.toContain("<style>");
  expect(await pixelsOf(svg)).toHaveLength(736 * 448 * 4);
});

test("a torn recording is drawn up to its last whole event", async () => {
  const { svg, stills } = await draw(written([HEADER, output(1, "whole "), output(2, "torn").slice(0, -4)]));

  expect(stills).toBe(2);
  expect(textsOf(svg)).toEqual(["whole"]);
});

test("silences and speed are those of a replay, and the end can be read", async () => {
  const file = written([HEADER, output(1, "a"), output(3601, "b")]);

  const { durationMs } = await draw(file, { idleMs: 2_000, speed: 2 });
  const once = await draw(file, { idleMs: 2_000, speed: 2, once: true });
  const atOnce = await draw(file, { speed: Number.POSITIVE_INFINITY });

  expect([durationMs, once.durationMs]).toEqual([4_500, 1_500]);
  expect(once.svg).toContain("animation:1.5s steps(1) 1}");
  expect(atOnce.stills).toBe(1);
});

test("nothing that a program prints becomes part of the document", async () => {
  const hostile = [
    "<script>alert(1)</script>",
    "]]>\"'&amp;&#60;",
    "</text></svg><svg onload='x'>",
    "\x1b]0;<title>\x07\0\x01\x7f\x85\ufffe\ud800",
    "\u202eright\u2066",
    "\x1b[31m</style>@keyframes k0{}\x1b[0m",
  ];
  const file = written([HEADER, ...hostile.map((text, index) => output(index, `${text}\r\n`))]);

  const { svg } = await draw(file, { title: "<b>&\0]]>" });

  const elements = new Set([...svg.matchAll(/<\/?([^\s>/]+)/g)].map(([, name]) => name));
  expect([...elements].toSorted()).toEqual(
    ["defs", "g", "path", "rect", "style", "svg", "text", "use"].filter((name) => elements.has(name)),
  );
  expect(svg).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\ufffe\u202e\u2066\p{Cs}]/u);
  expect(svg.match(/<\/?style>/g)).toHaveLength(2);
  expect(textsOf(svg)).toContain("<script>alert(1)</script>");
  await pixelsOf(svg);
});

test.each([
  { what: "100,000 events", events: 100_000, everyMs: 5, text: (index: number) => `\r\x1b[3${index % 8}m${index}` },
  { what: "two hours", events: 7_200, everyMs: 1_000, text: (index: number) => `line ${index}\r\n` },
])("a recording of $what stays within its bounds, and ends as it ended", { timeout: 180_000 }, async (made) => {
  const { events, everyMs, text } = made;
  const lines = Array.from({ length: events }, (_, index) => output((index * everyMs) / 1000, text(index)));

  const { svg, stills, durationMs, intervalMs } = await draw(written([HEADER, ...lines]));

  expect(stills).toBeGreaterThan(500);
  expect(stills).toBeLessThanOrEqual(MAX_STILLS);
  expect(Buffer.byteLength(svg)).toBeLessThanOrEqual(MAX_ANIMATION_BYTES);
  expect(durationMs).toBe((events - 1) * everyMs + 3_000);
  expect(intervalMs).toBeGreaterThan(STILL_INTERVAL_MS);
  expect(textsOf(svg)).toContain(text(events - 1).replace(/\x1b\[\d+m|[\r\n]/g, ""));
});

test.each([
  { what: "a terminal of a million columns", lines: [HEADER.replace("80", "1000000")], code: "BAD_RECORDING" },
  { what: "a terminal that becomes too large", lines: [HEADER, '[1, "r", "99999x99999"]'], code: "BAD_RECORDING" },
  { what: "a terminal of no size", lines: [HEADER, '[1, "r", "0x0"]'], code: "BAD_RECORDING" },
  { what: "a silence of a year", lines: [HEADER, output(365 * 86_400, "late")], code: "BAD_OPTION" },
])("$what is refused", async ({ lines, code }) => {
  expect(await codeOf(draw(written(lines)))).toBe(code);
});

test("an abort ends the drawing with its reason", async () => {
  const stop = new AbortController();
  const drawing = draw(written([HEADER, output(0, "a"), output(1, "b")]), {
    signal: stop.signal,
    onProgress: () => stop.abort(new Error("enough")),
  });

  await expect(drawing).rejects.toThrow("enough");
});
