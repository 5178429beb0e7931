/** The stream of a page: whatever connections do, its terminal shows what the program printed, no byte lost or doubled. */
import { expect, onTestFinished, test } from "vitest";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { readScreen, runCommand, startSession } from "../../../src/service/turn/simple-turns.ts";
import type { PageEvents } from "../../../src/web/api/messages.ts";
import { TerminalText } from "../../../src/web/api/stream/terminal-text.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, pidOf } from "../../support/host/host.ts";
import { openApi, type TestApi } from "../../support/web/api.ts";
import { PageTerminal } from "../../support/web/page-terminal.ts";

const plain = { login: false, shell: "/bin/bash" };

function opened(): { readonly host: HostClient; readonly api: TestApi } {
  const host = hostAt(hostDirectory());
  return { host, api: openApi(host) };
}

function terminalOf(api: TestApi, key: number): PageTerminal {
  const terminal = new PageTerminal(api, key);
  onTestFinished(() => terminal.dispose());
  return terminal;
}

/** Mulberry32: the same numbers for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function outputOf(host: HostClient, id: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of host.output(id, {})) parts.push(bytes);
  return Buffer.concat(parts);
}

/** Numbered lines in colours, in bursts, with wide characters that chunks cut. */
function printing(lines: number): string {
  const line = "printf '\\033[3%dm%d\\033[0m 世é %s\\n' $((i % 8)) $i \"${pad:0:i % 60}\"";
  return `pad=${"=".repeat(60)}; for ((i = 1; i <= ${lines}; i++)); do ${line}; ((i % 97)) || sleep 0.01; done`;
}

test.each([
  { what: "from its first byte", lines: 1_500, seed: 1 },
  { what: "from a painted screen", lines: 7_000, seed: 2 },
])("readers that connect, drop and resume anywhere show the truth: $what", { timeout: 180_000 }, async (given) => {
  const { lines, seed } = given;
  const { host, api } = opened();
  const { id } = await startSession(host, { ...plain, command: printing(lines) });
  const chance = random(seed);
  const readers = Array.from({ length: 4 }, () => terminalOf(api, id));

  await Promise.all(
    readers.map(async (reader, index) => {
      while (!reader.ended) {
        let left = Math.floor(chance() * 12);
        await reader.follow(() => left-- <= 0);
        // One reader never starts over.
        if (index > 0 && chance() < 0.2) reader.reload();
      }
    }),
  );

  const { snapshot } = await readScreen(host, id);
  const output = await outputOf(host, id);
  for (const reader of readers) {
    expect(reader.lines).toEqual(snapshot.lines);
    expect(reader.caret).toEqual([snapshot.caret.row, snapshot.caret.col]);
    const text = new TerminalText({ size: snapshot.size, isPlain: false });
    text.skip(output.subarray(0, reader.from), { isAlternate: false, isWoven: false });
    expect(reader.text).toBe(text.draw(output.subarray(reader.from)));
    expect(reader.ended).toMatchObject({ exit: { kind: "code", code: 0 }, isLost: false });
  }
});

test("commands of agents are lines in the terminal, each once, however often the reader resumes", async () => {
  const { host, api } = opened();
  const run = (command: string) => runCommand(host, { caller: "agent", shell: "dev", command });
  const { id } = await run("echo first");
  const reader = terminalOf(api, id);
  let left = 0;

  for (const command of ["true", "echo second", "false"]) {
    const running = run(command);
    left = 1;
    await reader.follow(() => left-- <= 0);
    await running;
  }
  await reader.follow(() => reader.commands.filter(({ to }) => to !== null).length >= 4);
  await reader.follow(() => reader.text.split("└").length > 4);

  const shown = reader.lines.filter((line) => line !== "").map((line) => line.replace(/ {2}\[.*| after .*/, ""));
  expect(shown.filter((line) => !line.startsWith("$"))).toEqual([
    "❯ echo first",
    "first",
    "└ exit code 0",
    "❯ true",
    "└ exit code 0",
    "❯ echo second",
    "second",
    "└ exit code 0",
    "❯ false",
    "└ exit code 1",
  ]);
});

test("what lies below a full-screen program appears when it leaves", async () => {
  const { host, api } = opened();
  const many = "seq 100000; echo below";
  const command = `${many}; printf '\\033[?1049h\\033[Hon top'; read -r; printf '\\033[?1049l'; read -r`;
  const { id } = await startSession(host, { ...plain, command });
  await expect.poll(async () => (await readScreen(host, id)).snapshot.lines[0]).toBe("on top");
  const reader = terminalOf(api, id);

  await reader.follow(() => reader.lines[0] === "on top");
  await host.write(id, "\n");
  await reader.follow(() => reader.lines.includes("below"));

  expect(reader.screens).toBe(2);
  expect(reader.lines).toEqual((await readScreen(host, id)).snapshot.lines);
});

test("a change of the size arrives between the output before and after it", async () => {
  const { host, api } = opened();
  const { id } = await startSession(host, { ...plain, command: "echo one; read -r; echo two; read -r" });
  const reader = terminalOf(api, id);
  await reader.follow(() => reader.lines.includes("one"));

  await host.resize(id, { cols: 50, rows: 10 });
  await host.write(id, "\n");
  await reader.follow(() => reader.lines.includes("two"));

  expect(reader.size).toEqual({ cols: 50, rows: 10 });
});

test("a page survives the death of its host and reports the session as lost", async () => {
  const { host, api } = opened();
  const { id } = await startSession(host, { ...plain, command: "echo kept; sleep 600" });
  const reader = terminalOf(api, id);
  await reader.follow(() => reader.lines.includes("kept"));

  // The last bytes may not be on disk yet: then the page starts over, with what is.
  endProcess(await pidOf(host));
  await reader.follow(() => false);

  expect(reader.ended).toMatchObject({ isLost: true });
});

test("a page gets all sessions once, and then what others do to them", async () => {
  const { host, api } = opened();
  const first = await startSession(host, { ...plain, command: "cat", name: "first" });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const cards = new Map<string, PageEvents["sessions"]["cards"][number]>();
  let complete = 0;
  const following = (async () => {
    for await (const { event, data } of api.events("/api/events", { signal: stop.signal })) {
      if (event !== "sessions") continue;
      const { isAll, cards: changed, gone } = data as PageEvents["sessions"];
      if (isAll) complete += 1;
      for (const card of changed) cards.set(card.key, card);
      for (const key of gone) cards.delete(key);
    }
  })();
  const card = (key: number) => cards.get(String(key));

  await expect.poll(() => card(first.id)?.name).toBe("first");
  const second = await startSession(host, { ...plain, command: "read -rsp 'Password: ' p" });
  await expect.poll(() => card(second.id)).toMatchObject({ stateText: "waits for a password", needsPerson: true });
  await host.hold(first.id, { reason: "mine" });
  await expect.poll(() => card(first.id)).toMatchObject({ stateText: "held by a person", held: { reason: "mine" } });
  const before = card(first.id)?.picture;
  await host.write(first.id, "hello\n", { by: "person" });
  await expect.poll(() => card(first.id)?.picture).not.toBe(before);
  await host.write(second.id, "x\n");
  await expect.poll(() => card(second.id)?.stateText).toBe("exited with 0");
  await api.ask("POST", `/api/sessions/${second.id}/close`, { keepOutput: false });
  await expect.poll(() => cards.has(String(second.id))).toBe(false);
  stop.abort();
  await following;

  expect({ complete, sessions: cards.size }).toEqual({ complete: 1, sessions: 1 });
});
