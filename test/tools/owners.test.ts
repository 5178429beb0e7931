/** To whom sessions belong: two projects in one service, each with agents of its own. */
import { expect, test } from "vitest";
import { LocalService } from "../../src/service/local-service.ts";
import type { SessionService } from "../../src/service/session-service.ts";
import { startSession } from "../../src/service/turn/simple-turns.ts";
import type { RegistryOptions } from "../../src/session/registry/registry-options.ts";
import { SessionRegistry } from "../../src/session/registry/session-registry.ts";
import { profiles } from "../../src/tools/profiles.ts";
import { guardEveryCase } from "../support/case-guard.ts";
import { codeOf } from "../support/sessions.ts";
import { LONG_MS } from "../support/watching.ts";

guardEveryCase();

const plain = { login: false, shell: "/bin/sh" };
const SLEEPER = "exec sleep 1000";
/** Has said so when the call returns. */
const HELLO = { cmd: "echo hello; exec sleep 1000", until: "hello\\n", yield_time_ms: LONG_MS };

// biome-ignore lint/suspicious/noExplicitAny: each test knows the fields of its own tool.
type Call = (name: string, args?: object, caller?: string) => Promise<{ text: string; structured: any }>;

interface Agent {
  readonly sessions: SessionService;
  readonly call: Call;
}

function openProjects(options: RegistryOptions = {}) {
  const registry = new SessionRegistry(options);
  const all = new LocalService(registry);
  const agentIn = (project: string): Agent => {
    const sessions = all.forClient(`client of ${project}`, { project, reach: "project" });
    return {
      sessions,
      async call(name, args = {}, caller = "agent") {
        const tool = profiles.all.tools.find((candidate) => candidate.name === name);
        if (!tool) throw new Error(`No tool ${name}`);
        return await tool.call(args, { sessions, caller });
      },
    };
  };
  const person = all.forClient("client of a person", { project: "/elsewhere", reach: "user" });
  return {
    registry,
    api: agentIn("/api"),
    web: agentIn("/web"),
    person,
    [Symbol.asyncDispose]: () => registry.closeAll({ force: true }),
  };
}

async function start({ call }: Agent, args: object = {}): Promise<number> {
  const { text, structured } = await call("exec_command", { cmd: SLEEPER, yield_time_ms: 0, ...plain, ...args });
  if (structured.session_id === undefined) throw new Error(text);
  return structured.session_id;
}

test("two projects can both have a session of one name, and each means its own", async () => {
  await using projects = openProjects();
  const ids = [await start(projects.api, { name: "server" }), await start(projects.web, { name: "server" })];

  const meant = [await projects.api.sessions.find("server"), await projects.web.sessions.find("server")];

  expect(meant.map(({ id }) => id)).toEqual(ids);
  const again = await projects.api.call("exec_command", { cmd: SLEEPER, name: "server", ...plain });
  expect(again.text).toBe(
    `NAME_TAKEN: Session ${ids[0]} is already named "server". Use it, close it, or choose another name.`,
  );
});

test("reuse never hands out the session of another project", async () => {
  await using projects = openProjects();
  const theirs = await start(projects.web, { name: "login", cmd: "printf Password:; stty -echo; read x" });

  const { structured } = await projects.api.call("exec_command", {
    cmd: "echo mine",
    name: "login",
    reuse: true,
    ...plain,
  });

  expect(structured).toMatchObject({ reused: false, output: "mine\n" });
  expect(structured.session_id).not.toBe(theirs);
});

test("nobody types into the default shell of another project, and each project has one called default", async () => {
  await using projects = openProjects();
  const mine = await projects.api.call("run", { command: "mine=1; cd /usr" });

  const theirs = await projects.web.call("run", { command: "echo mine=$mine" });

  expect(theirs.structured).toMatchObject({ shell: "default", output: "mine=\n" });
  expect(mine.structured).toMatchObject({ shell: "default" });
  expect(theirs.structured.session_id).not.toBe(mine.structured.session_id);
});

test("no answer names a session of another project: not as running, open, in use, left over or listed", async () => {
  await using projects = openProjects({ maxSessions: 3 });
  await start(projects.web, { name: "their-server" });
  await start(projects.web, { name: "their-job", cmd: "sleep 1000 & exit 0", yield_time_ms: 10_000 });
  const { call } = projects.api;

  const texts = [
    await call("exec_command", { cmd: "true", ...plain }),
    await call("run", { command: "true" }),
    await call("list_sessions", { ended: true }),
    await call("write_stdin", { session_id: "their-server", chars: "x" }),
    await call("read_output", { session_id: "their-server" }),
    await call("close_session", { session_id: "their-server" }),
    await call("exec_command", { cmd: SLEEPER, yield_time_ms: 0, ...plain }),
    await call("exec_command", { cmd: SLEEPER, yield_time_ms: 0, ...plain }),
    await call("wait_for", { deadline_ms: 0 }),
  ].map(({ text }) => text);

  // Except in the name that was asked for.
  for (const text of texts) expect(text.replace('No session "their-server"', "")).not.toContain("their-");
  expect(texts[3]).toMatch(/^SESSION_NOT_FOUND: No session "their-server" \(open: \d+ "default"\)\./);
});

test("whoever is kept out by other projects alone is told whom to ask", async () => {
  await using projects = openProjects({ maxSessions: 1 });
  await start(projects.web);

  const { text } = await projects.api.call("exec_command", { cmd: "true", ...plain });

  expect(text).toBe(
    "SESSION_LIMIT: All 1 sessions are in use, none of them in this project. Ask the user to close some with limpet kill, then try again.",
  );
});

test("an id reaches any session, and a list shows the others with owner and folder where that is asked for", async () => {
  await using projects = openProjects();
  const theirs = await start(projects.web, { name: "server", ...HELLO });
  const mine = await start(projects.api, { name: "server" });

  const read = await projects.api.call("read_output", { session_id: theirs });
  const own = await projects.api.call("list_sessions");
  const all = await projects.api.call("list_sessions", { all: true });

  expect(read.structured.output).toBe("hello\n");
  expect(own.structured.sessions.map((each: { session_id: number }) => each.session_id)).toEqual([mine]);
  expect(all.structured.sessions).toMatchObject([
    { session_id: mine, owner: "agent", project: "/api" },
    { session_id: theirs, owner: "agent", project: "/web" },
  ]);
  expect(all.text.split("\n")[1]).toMatch(/ \| of agent in "\/web"$/);
});

test("callers of the same name in two projects have positions of their own", async () => {
  await using projects = openProjects();
  const id = await start(projects.api, HELLO);

  const theirs = await projects.web.call("write_stdin", { session_id: id });
  const mine = await projects.api.call("write_stdin", { session_id: id });

  expect([theirs.structured.output, mine.structured.output]).toEqual(["hello\n", ""]);
});

test("a person's names reach all projects, and one that several have asks for an id", async () => {
  await using projects = openProjects();
  const ids = [await start(projects.api, { name: "server" }), await start(projects.web, { name: "server" })];
  const only = await start(projects.web, { name: "db" });

  expect((await projects.person.find("db")).id).toBe(only);
  expect(await codeOf(projects.person.find("server"))).toBe("NAME_AMBIGUOUS");
  await expect(projects.person.close("server", { force: true })).rejects.toThrow(
    `Several projects have a session named "server": ${ids[0]} in "/api", ${ids[1]} in "/web". Pass the id of one of them.`,
  );
  expect((await projects.person.list({ ended: false })).map(({ id }) => id)).toEqual([...ids, only]);
  const own = await startSession(projects.person, { command: SLEEPER, name: "server", ...plain }, "person");
  expect((await projects.person.find("server")).id).toBe(own.id);
});
