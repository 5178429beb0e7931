/** The connection to a host is cut at any point of a turn: the turn is carried out once, and answered once. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { acknowledged, CALLER, cutOften, numbersTo, openScene, UNREAD } from "../../support/host/cut-scene.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, pidOf } from "../../support/host/host.ts";
import { errorOf, until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

const plain = { login: false, shell: "/bin/sh" };

test("a program whose start is cut off starts once, and its output is in the answer", async () => {
  const scene = await openScene(1);
  const log = join(temporaryDirectory(), "log");
  const texts: (string | undefined)[] = [];

  const turns = await cutOften(scene, async (n) => {
    const start = { command: `echo ${n} >> ${log}; echo out ${n}`, ...plain };
    const wait = { kind: "output", deadlineMs: 20_000 } as const;
    const answer = await acknowledged(scene.proxy.client, { on: { kind: "start", start }, wait, read: UNREAD });
    texts.push(answer.output?.text);
  });

  expect(readFileSync(log, "utf8")).toBe(numbersTo(turns));
  expect(texts).toEqual(Array.from({ length: turns }, (_, n) => `out ${n}\n`));
});

test("a command of a shell whose call is cut off runs once, and its output is in the answer", async () => {
  const scene = await openScene(2);
  const log = join(temporaryDirectory(), "log");
  const texts: (string | undefined)[] = [];

  const turns = await cutOften(scene, async (n) => {
    const run = { command: `echo ${n} >> ${log}; echo out ${n}`, shell: "main", fresh: { shell: "/bin/sh" } };
    texts.push((await acknowledged(scene.proxy.client, { on: { kind: "run", run } })).command?.output);
  });

  expect(readFileSync(log, "utf8")).toBe(numbersTo(turns));
  expect(texts).toEqual(Array.from({ length: turns }, (_, n) => `out ${n}\n`));
});

test("a line whose call is cut off is typed once, and what is printed is read once", async () => {
  const scene = await openScene(3);
  const log = join(temporaryDirectory(), "log");
  const { id } = await startSession(scene.direct, { command: `stty -echo; echo ready; tee ${log}`, ...plain });
  const { client } = scene.proxy;
  const first = { kind: "output", until: "ready\\n", onInput: false } as const;
  await acknowledged(client, { on: { kind: "session", key: id }, wait: first, read: UNREAD });
  let text = "";

  const turns = await cutOften(scene, async (n) => {
    const input = { strokes: [{ kind: "text", text: `${n}\n` }] } as const;
    const wait = { kind: "output", until: `^${n}\\n`, onInput: false, deadlineMs: 20_000 } as const;
    const answer = await acknowledged(client, { on: { kind: "session", key: id }, input, wait, read: UNREAD });
    text += answer.output?.text;
  });

  expect(readFileSync(log, "utf8")).toBe(numbersTo(turns));
  expect(text).toBe(numbersTo(turns));
});

test("a new connection takes over from one whose end the host has not noticed, and the turn is answered once", async () => {
  const { direct, proxy } = await openScene(9);
  const { client } = proxy;
  const log = join(temporaryDirectory(), "log");
  const command = `echo started >> ${log}; read x; echo got $x`;
  const start = { command: `stty -echo; ${command}`, ...plain };
  const wait = { kind: "output", until: "got .*\\n", onInput: false } as const;

  const answering = acknowledged(client, { on: { kind: "start", start }, wait, read: UNREAD });
  await until(() => existsSync(log), "the program runs");
  proxy.plan([{ kind: "time", afterMs: 0, end: "half-open" }]);
  await until(() => proxy.cuts === 1, "the connection is cut");
  const [session] = await client.running();
  await direct.write(session?.id ?? 0, "it\n");
  const answer = await answering;

  expect([answer.result?.reason, answer.output?.text]).toEqual(["matched", "got it\n"]);
  const again = await acknowledged(client, { on: { kind: "session", key: answer.session.id }, read: UNREAD });
  expect(again.output?.text).toBe("");
  expect(readFileSync(log, "utf8")).toBe("started\n");
  expect((await direct.hostStatus())?.clients).toBe(3);
});

test("a host that is killed during a turn leaves its outcome unknown, and no other host carries it out", async () => {
  const directory = hostDirectory();
  const [client, other] = [hostAt(directory), hostAt(directory)];
  const log = join(temporaryDirectory(), "log");
  const start = { command: `echo started >> ${log}; exec sleep 100`, ...plain };
  const turns = ["start", "run"].map((kind) => {
    const on =
      kind === "start"
        ? ({ kind: "start", start } as const)
        : ({ kind: "run", run: { command: start.command, shell: "main", fresh: { shell: "/bin/sh" } } } as const);
    const wait = kind === "start" ? { wait: { kind: "output", onInput: false } as const } : {};
    return errorOf(client.turn({ caller: CALLER, on, ...wait }));
  });
  await until(() => existsSync(log) && readFileSync(log, "utf8") === "started\nstarted\n", "both run");

  endProcess(await pidOf(client));
  // A new host, as soon as the old one is gone.
  await until(async () => (await other.list({ ended: false }).catch(() => [])).length > 0, "another host runs");
  const errors = await Promise.all(turns);

  expect(errors.map(({ code }) => code)).toEqual(["HOST_GONE", "HOST_GONE"]);
  expect(errors.map(({ message }) => message)).toEqual(
    Array(2).fill(expect.stringContaining("its outcome is unknown")),
  );
  expect(readFileSync(log, "utf8")).toBe("started\nstarted\n");
});
