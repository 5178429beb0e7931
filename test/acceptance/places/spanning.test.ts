/** Sessions here and at places as one service, and as an agent sees them. */
import { expect, onTestFinished, test, vi } from "vitest";
import { placedService } from "../../../src/places/spanning/placed-service.ts";
import { SpanningService } from "../../../src/places/spanning/spanning-service.ts";
import { keyOf } from "../../../src/service/listing/session-key.ts";
import { LocalService } from "../../../src/service/local-service.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { SessionRegistry } from "../../../src/session/registry/session-registry.ts";
import { needs } from "../../support/needs.ts";
import { clientMaker } from "../../support/places/place.ts";
import { span } from "../../support/places/span.ts";
import { sshPlace } from "../../support/places/ssh-place.ts";
import { errorOf } from "../../support/sessions.ts";

// Each test starts a host.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const CALLER = "test";
const sh = { shell: "/bin/sh" };

test("a program starts at the place that the call names, and its id says where it is", async () => {
  const { place, tools } = span();

  const { text, structured } = await tools.call("exec_command", { cmd: "pwd", place: "build", ...sh });

  expect(text).toContain("Process exited with code 0, session ID build/1\n");
  expect(structured).toMatchObject({ session_id: "build/1", output: `${place.home}\n`, exit_code: 0 });
});

test("a shell at a place keeps its directory, and is reached by its key as well", async () => {
  const { place, tools } = span();
  await tools.call("run", { command: "mkdir sub; cd sub", place: "build", shell: "dev" });

  const { structured } = await tools.call("run", { command: "pwd", shell: "build/dev" });

  expect(structured).toMatchObject({ output: `${place.home}/sub\n`, cwd: `${place.home}/sub`, shell: "dev" });
});

test("all tools reach a session at a place by its key", async () => {
  const { tools } = span();
  const { structured } = await tools.call("exec_command", {
    cmd: "cat",
    place: "build",
    name: "echo",
    ...sh,
    yield_time_ms: 0,
  });
  const key = structured["session_id"] as string;

  const typed = await tools.call("write_stdin", {
    session_id: key,
    chars: "hello\n",
    until: "hello\\r?\\nhello\\r?\\n",
  });
  const read = await tools.call("read_output", { session_id: "build/echo" });
  const screen = await tools.call("read_screen", { session_id: key });
  const resized = await tools.call("resize_session", { session_id: key, cols: 40, rows: 10 });
  const closed = await tools.call("close_session", { session_id: key });

  expect(typed.structured).toMatchObject({ session_id: key, output: "hello\nhello\n" });
  expect(read.structured).toMatchObject({ session_id: key, output: "hello\nhello\n" });
  expect(screen.structured).toMatchObject({ session_id: key, name: "echo" });
  expect(resized.text).toContain(`Session ${key} is now 40 columns by 10 rows.`);
  expect(closed.text).toContain(`Session ${key} closed.`);
});

test("lists and the lines about other sessions span places", async () => {
  const { tools } = span();
  const args = { cmd: "sleep 1000", yield_time_ms: 0, ...sh };
  const here = (await tools.call("exec_command", { ...args, name: "near" })).structured["session_id"];

  const far = await tools.call("exec_command", { ...args, name: "far", place: "build" });
  const third = await tools.call("exec_command", { ...args });
  const listed = await tools.call("list_sessions", {});

  expect(far.text).toContain(`\nStill running: ${here} (near)\n`);
  expect(third.text).toContain(`\nStill running: ${here} (near), build/1 (far)\n`);
  expect(listed.structured["sessions"].map((each: { session_id: unknown }) => each.session_id)).toEqual([
    third.structured["session_id"],
    here,
    "build/1",
  ]);
  expect(listed.text).toContain("build/1 (far): running");
});

test("a place that cannot be reached is named, and does not hold up the others", async () => {
  const { tools } = span({ others: { dead: ["false"] } });
  const args = { cmd: "exec sleep 1000", yield_time_ms: 0, ...sh };
  await tools.call("exec_command", { ...args, place: "build" });

  const { text, structured } = await tools.call("list_sessions", {});

  expect(structured["sessions"]).toMatchObject([{ session_id: "build/1", running: true }]);
  expect(text).toMatch(/\nNo answer from dead: /);
});

test("a place that never answers is left out of a list after its time, and at once the next time", async () => {
  const registry = new SessionRegistry();
  onTestFinished(() => registry.closeAll({ force: true }).then(() => undefined));
  const never = placedService(clientMaker({ via: ["/bin/sh", "-c", "exec sleep 3", "sh"] })(), "never");
  const sessions = new SpanningService({
    here: new LocalService(registry),
    places: [{ name: "never", service: never }],
    patienceMs: 300,
  });
  const { id } = await startSession(sessions, { command: "exec sleep 1000", ...sh });

  expect((await sessions.list({ ended: false })).map(keyOf)).toEqual([id]);
  expect(sessions.silentPlaces()).toEqual([{ place: "never", problem: "no answer in 0.3 s" }]);
  expect((await sessions.list({ ended: false })).map(keyOf)).toEqual([id]);
});

test("events at a used place arrive with those from here", async () => {
  const { sessions } = span();
  await sessions.turn({ caller: CALLER, place: "build", on: { kind: "start", start: { command: "true", ...sh } } });
  const stop = new AbortController();
  const seen: (number | string)[] = [];
  const following = (async () => {
    for await (const { events } of sessions.events({ signal: stop.signal }))
      for (const { session, kind } of events) if (session && kind === "started") seen.push(keyOf(session));
  })();
  await expect
    .poll(
      async () => {
        const [near, far] = await Promise.all([
          sessions.turn({ caller: CALLER, on: { kind: "start", start: { command: "true", ...sh } } }),
          sessions.turn({ caller: CALLER, place: "build", on: { kind: "start", start: { command: "true", ...sh } } }),
        ]);
        return (
          near.session.place === null && far.session.place === "build" && new Set(seen.map((key) => typeof key)).size
        );
      },
      { timeout: 60_000 },
    )
    .toBe(2);
  stop.abort();
  await following.catch(() => undefined);

  expect(seen.some((key) => String(key).startsWith("build/"))).toBe(true);
});

test("a key of an unknown place is refused with the known ones", async () => {
  const { tools } = span();

  expect(await tools.refusal("read_output", { session_id: "nowhere/7" })).toBe(
    'BAD_OPTION: "nowhere" is not a place. Use one of: build.',
  );
  expect(await tools.refusal("exec_command", { cmd: "true", place: "nowhere" })).toContain("place");
});

test("an error at a place says where", async () => {
  const { sessions } = span();

  const error = await errorOf(sessions.find("build/99"));

  expect([error.code, error.message]).toEqual(["SESSION_NOT_FOUND", expect.stringMatching(/^build: No session/)]);
});

test.skipIf(!needs("sshd", "ssh-keygen"))("tools work at a place behind ssh as they do here", async () => {
  const { tools } = span({ place: await sshPlace() });
  const ask = { cmd: "read -rs x", place: "build", yield_time_ms: 60_000 };
  const secret = { chars: "secret\n", yield_time_ms: 60_000 };

  const { structured } = await tools.call("exec_command", { ...ask, shell: "/bin/bash" });
  const answered = await tools.call("write_stdin", { session_id: structured["session_id"], ...secret });

  expect(structured).toMatchObject({ session_id: "build/1", running: true, waiting_for: "password" });
  expect(answered.structured).toMatchObject({ running: false, exit_code: 0 });
});
