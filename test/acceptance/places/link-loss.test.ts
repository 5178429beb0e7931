/** A link that is gone for a while: it comes back by itself, streams go on, and an attached person is told the truth. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import type { SessionEvent } from "../../../src/service/events/session-event.ts";
import { runCommand, startSession } from "../../../src/service/turn/simple-turns.ts";
import type { TranscriptPart } from "../../../src/session/transcript-part.ts";
import { MAIN } from "../../support/mcp.ts";
import { linkPids } from "../../support/places/link-pids.ts";
import { LINK_MS, type TestPlace, testPlace } from "../../support/places/place.ts";
import { outputHas, until } from "../../support/sessions.ts";
import { open, temporaryDirectory } from "../../support/watching.ts";

// Several programs each, on a machine that does much else.
vi.setConfig({ testTimeout: 180_000 });

const CALLER = "test";

interface GatedPlace extends TestPlace {
  /** Nobody gets in from now on. */
  close(): void;
  open(): void;
}

/** A place that can refuse to be reached. */
function gatedPlace(): GatedPlace {
  const gate = join(temporaryDirectory(), "closed");
  const place = testPlace({ around: ["/bin/sh", "-c", `[ ! -e ${gate} ] || exit 9; exec "$@"`, "sh"] });
  return { ...place, close: () => writeFileSync(gate, ""), open: () => rmSync(gate) };
}

function cut(parent?: number): void {
  for (const pid of linkPids(parent)) process.kill(pid, "SIGKILL");
}

function states(client: HostClient): string[] {
  const seen: string[] = [];
  client.onLink((state) => void seen.push(state));
  return seen;
}

test("while sessions run there, the link comes back in the background", async () => {
  const client = testPlace().client();
  await startSession(client, { command: "exec cat", shell: "/bin/sh" });
  const seen = states(client);

  cut();

  await until(() => seen.length === 2, "the link is back", LINK_MS);
  expect(seen).toEqual(["lost", "up"]);
  expect(linkPids()).toHaveLength(1);
});

test("a link that was only asked something is not made again by itself", async () => {
  const client = testPlace().client();
  await client.list({ ended: false });
  const seen = states(client);

  cut();
  await until(() => seen.length > 0, "the loss is noticed", LINK_MS);
  await sleep(1_500);

  expect([seen, linkPids()]).toEqual([["lost"], []]);
});

test("a transcript goes on over cuts: each part once, in order", async () => {
  const client = testPlace().client();
  const run = (command: string) => runCommand(client, { caller: CALLER, command, shell: "main" });
  const { id } = await run("echo first");
  const parts: TranscriptPart[] = [];
  const ended = new AbortController();
  const following = (async () => {
    for await (const part of client.transcript(id, { from: 0, signal: ended.signal })) {
      parts.push(part);
      // Each part may be the last one of its link.
      if (parts.length < 12) cut();
    }
  })().catch(() => undefined);

  for (let n = 0; n < 4; n += 1) await run(`echo out ${n}`);
  const count = () => parts.filter((part) => part.kind === "finished").length;
  await until(() => count() === 5, "all commands have finished", LINK_MS);
  ended.abort();
  await following;

  const commands = parts.flatMap((part) => ("command" in part ? [`${part.kind} ${part.command.command}`] : []));
  const all = ["echo first", ...[0, 1, 2, 3].map((n) => `echo out ${n}`)];
  expect(commands).toEqual(all.flatMap((command) => [`started ${command}`, `finished ${command}`]));
  expect(parts.filter((part) => part.kind === "size")).toHaveLength(1);
  const text = parts.map((part) => (part.kind === "output" ? Buffer.from(part.page.bytes).toString() : "")).join("");
  expect(text.replaceAll("\r", "").match(/^(first|out \d)$/gm)).toEqual(["first", "out 0", "out 1", "out 2", "out 3"]);
});

test("events that happen while the link is gone are told when it is back, once", async () => {
  const place = gatedPlace();
  const [client, other] = [place.client(), place.client()];
  await other.list({ ended: false });
  const others = new Set(linkPids());
  const events: SessionEvent[] = [];
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  void (async () => {
    for await (const page of client.events({ signal: ended.signal })) events.push(...page.events);
  })().catch(() => undefined);
  const names = () => events.flatMap((event) => (event.kind === "started" ? [event.session?.name] : []));
  const start = (name: string) => startSession(other, { command: "exec cat", shell: "/bin/sh", name });
  // What happened before the stream was open is not in it.
  for (let n = 0; names().length === 0; n += 1) {
    await start(`before ${n}`);
    await sleep(500);
  }
  await until(() => linkPids().length === 2, "both have a link", LINK_MS);

  const seen = states(client);
  place.close();
  for (const pid of linkPids()) if (!others.has(pid)) process.kill(pid, "SIGKILL");
  await until(() => seen.includes("lost"), "the loss is noticed", LINK_MS);
  await start("meanwhile");
  place.open();
  await until(() => seen.includes("up"), "the link is back", LINK_MS);
  await start("after");

  await until(() => names().includes("after"), "all events have come", LINK_MS);
  expect(names().filter((name) => !name?.startsWith("before"))).toEqual(["meanwhile", "after"]);
  expect(new Set(names()).size).toBe(names().length);
});

test("an attached person sees that the link is lost, and what is typed then is not sent", async () => {
  const place = gatedPlace();
  const received = join(temporaryDirectory(), "received");
  const command = `stty -echo; echo ready; while read -r x; do echo "$x" >> ${received}; echo "got $x"; done`;
  const { id } = await startSession(place.client(), { command, shell: "/bin/sh" });
  const config = temporaryDirectory();
  mkdirSync(join(config, "limpet"));
  writeFileSync(join(config, "limpet/config.json"), JSON.stringify({ places: { far: place.setting } }));
  const terminal = await open({
    program: process.execPath,
    args: [MAIN, "attach", String(id), "--at", "far"],
    env: { XDG_CONFIG_HOME: config, LIMPET_HOME: temporaryDirectory() },
  });
  await outputHas(terminal, "ready", LINK_MS);
  await terminal.write("one\r");
  await outputHas(terminal, "got one", LINK_MS);

  place.close();
  cut(terminal.pid ?? 0);
  await outputHas(terminal, "Link lost, connecting again", LINK_MS);
  await terminal.write("two\r");
  place.open();
  await outputHas(terminal, "Connected again", LINK_MS);
  await terminal.write("three\r");
  await outputHas(terminal, "got three", LINK_MS);

  expect(readFileSync(received, "utf8")).toBe("one\nthree\n");
});
