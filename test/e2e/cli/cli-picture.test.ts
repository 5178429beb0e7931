import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Cli, openCli } from "../../support/cli.ts";
import { MAIN } from "../../support/mcp.ts";
import { textsOf } from "../../support/screen/frozen-svg.ts";
import { outputHas } from "../../support/sessions.ts";
import { allText, open } from "../../support/watching.ts";

let cli: Cli;
beforeAll(() => {
  cli = openCli();
  writeFileSync(join(cli.folder, "a.cast"), `${HEADER}[0,"o","$ "]\n[1,"o","date"]\n[61,"o","\\r\\nnoon"]\n`);
});
afterAll(() => cli[Symbol.asyncDispose]());

const HEADER = '{"version":2,"width":20,"height":3}\n';

test("replay -o writes a picture that moves, in the time of the replay", async () => {
  const file = join(cli.folder, "a.svg");

  const told = await cli.limpet(["replay", "a.cast", "-o", "a.svg", "--idle", "2", "--speed", "2"]);

  const svg = readFileSync(file, "utf8");
  expect(told).toEqual({
    code: 0,
    stdout: `Wrote ${file}: 196x70 pixels, ${svg.length} bytes, 3 frames in 4s.\n`,
    stderr: "",
  });
  expect(svg).toContain("animation:4.5s steps(1) infinite");
  expect(textsOf(svg).toSorted()).toEqual(["$", "$ date", "noon"]);
});

test("a script is told what was written; it plays once and on white where that is asked for", async () => {
  const told = await cli.json("replay", "a.cast", "-o", "b.svg", "--idle", "2", "--once", "--theme", "light");

  const svg = readFileSync(join(cli.folder, "b.svg"), "utf8");
  expect(told).toEqual({
    file: join(cli.folder, "b.svg"),
    width: 196,
    height: 70,
    bytes: svg.length,
    pictures: 3,
    durationMs: 3_000,
    intervalMs: 40,
  });
  expect(svg).toMatch(/animation:3s steps\(1\) 1\}[\s\S]*fill="#ffffff"/);
});

test("a file is written over only with --force", async () => {
  const file = join(cli.folder, "mine.svg");
  writeFileSync(file, "mine");

  expect(await cli.limpet(["replay", "a.cast", "-o", file])).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("--force"),
  });
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect((await cli.limpet(["replay", "a.cast", "-o", file, "--force"])).code).toBe(0);
  expect(readFileSync(file, "utf8")).toMatch(/^<svg /);
  expect((await cli.limpet(["replay", "a.cast", "-o", join(file, "x.svg")])).stderr).toContain("ENOTDIR");
});

test.each([
  { words: ["-o", "x.gif"], says: ".svg" },
  { words: ["-o", "x.svg", "--text"], says: "--text" },
  { words: ["-o", "x.svg", "--theme", "pink"], says: "dark or light" },
  { words: ["--once"], says: "-o" },
  { words: ["--theme", "light"], says: "-o" },
  { words: ["--force"], says: "-o" },
])("replay $words is refused", async ({ words, says }) => {
  expect(await cli.limpet(["replay", "a.cast", ...words])).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(says),
  });
});

test("a note says where pictures had to be left out", async () => {
  const row = (index: number) => `\\r${String(index).repeat(100).slice(0, 400)}`;
  const events = Array.from({ length: 6_000 }, (_, index) => `[${index * 0.05},"o","${row(index)}"]\n`);
  writeFileSync(join(cli.folder, "long.cast"), HEADER + events.join(""));

  const { code, stderr } = await cli.limpet(["replay", "long.cast", "-o", "long.svg"]);

  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Note: frames are at least 0\.\d+ s apart/)]);
});

test("a person at a terminal is told how far it is, where it takes long", async () => {
  const pipe = join(cli.folder, "slow.cast");
  execFileSync("mkfifo", [pipe]);
  const session = await open({
    program: process.execPath,
    args: [MAIN, "replay", pipe, "-o", join(cli.folder, "slow.svg")],
    env: cli.env,
  });
  // Both ways, so that opening it does not wait for the other end.
  const end = openSync(pipe, "r+");
  writeSync(end, HEADER);
  const writing = setInterval(() => writeSync(end, '[7,"o","x"]\n'), 20);

  onTestFinished(() => clearInterval(writing));
  await outputHas(session, "of the recording");
  clearInterval(writing);
  closeSync(end);
  await session.ended;

  expect(await allText(session)).toMatch(
    /^\rDrawing: \d+ events, 7s of the recording\x1b\[K[\s\S]*\r\x1b\[KWrote .*slow\.svg/,
  );
});
