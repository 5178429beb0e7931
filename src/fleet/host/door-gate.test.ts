import { expect, test } from "vitest";
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import { DoorGate } from "./door-gate.ts";
import type { DoorRules } from "./door-rules.ts";

interface Host {
  readonly sandbox?: SandboxRequest;
  readonly ceiling?: SandboxRequest;
  readonly people?: DoorRules["people"];
  readonly duty?: "open" | "draining";
}

/** The sessions of a host with one session, as the door `laptop` may use them, and what reached them. */
function viewOf({ sandbox, ceiling, people, duty = "open" }: Host) {
  const reached: unknown[] = [];
  const note =
    (name: string) =>
    async (...args: readonly unknown[]) => {
      reached.push([name, ...args]);
    };
  const service = {
    approvals: { facts: async () => ({ sandbox: sandbox ?? null, shell: null, definedNames: [] }) },
    turn: note("turn"),
    write: note("write"),
    hold: note("hold"),
    answerPrompt: note("answerPrompt"),
    restart: note("restart"),
    record: note("record"),
    noteFarAct: note("noteFarAct"),
    find: async () => ({ id: 7 }),
    list: async () => [{ id: 7, sandbox: sandbox ?? null }],
  };
  const gate = new DoorGate({
    name: "gpu-1",
    duty: () => duty,
    rules: {
      ceiling: () => ceiling,
      limits: () => undefined,
      people,
      policy: { rules: () => ({ layers: [] }) as never },
    },
    names: { claim: async () => () => undefined, settle: async () => undefined },
    quotas: { reserve: async () => () => undefined, hasQuotas: false },
  });
  const door = { name: "laptop", scope: { project: null, reach: "user" as const } };
  return { reached, sessions: gate.over(service as unknown as SessionService, door) };
}

const keystroke: TurnRequest = {
  caller: "me",
  on: { kind: "session", key: 7 },
  input: { strokes: [{ kind: "text", text: "x" }], by: "person" },
};
const refusal = async (acting: () => Promise<unknown>) => {
  try {
    await acting();
    return undefined;
  } catch (error) {
    return (error as { readonly code?: string }).code;
  }
};
/** Each way to put something into a session. */
const inputs = (sessions: SessionService) => [
  () => sessions.turn(keystroke),
  () => sessions.write(7, "x", { by: "person" }),
  () => sessions.answerPrompt(7, { token: "t", value: "secret" }),
  () => sessions.restart(7),
];

test("what a door types is a person's if its host takes it for a person's door", async () => {
  const { reached, sessions } = viewOf({ people: ["laptop", "desk"] });

  await sessions.turn(keystroke);
  await sessions.write(7, "x", { by: "person" });
  await sessions.hold(7, { reason: null });

  expect(reached).toMatchObject([
    ["turn", { input: { by: "person" } }],
    ["write", 7, "x", { by: "person" }],
    ["hold", 7, { reason: null }],
  ]);
});

test("what any other door types is an agent's, whatever it says, and it cannot do what is for people", async () => {
  const { reached, sessions } = viewOf({ people: ["desk"] });

  await sessions.turn(keystroke);
  await sessions.write(7, "x", { by: "person" });
  const codes = [
    await refusal(async () => sessions.hold(7, { reason: null })),
    await refusal(async () => sessions.release(7)),
    await refusal(async () => sessions.thaw(7)),
    await refusal(async () => sessions.answerPrompt(7, { token: "t", value: "secret" })),
  ];

  expect(reached).toMatchObject([
    ["turn", { input: { by: "agent" } }],
    ["write", 7, "x", { by: "agent" }],
  ]);
  expect(codes).toEqual(["NOT_ALLOWED", "NOT_ALLOWED", "NOT_ALLOWED", "NOT_ALLOWED"]);
});

test("with a sandbox in its rules, doors type only into sessions that have it, and record nothing", async () => {
  const ceiling: SandboxRequest = { files: "workspace" };
  const wide = viewOf({ ceiling });
  const narrow = viewOf({ ceiling, sandbox: { files: "read-only" } });

  const refused = await Promise.all(inputs(wide.sessions).map(refusal));
  const allowed = await Promise.all(inputs(narrow.sessions).map(refusal));
  const recorded = await refusal(() => narrow.sessions.record(7, { file: "/tmp/x.cast" }));

  expect(refused).toEqual(["NOT_ALLOWED", "NOT_ALLOWED", "NOT_ALLOWED", "NOT_ALLOWED"]);
  expect(wide.reached).toEqual([]);
  expect([allowed, recorded]).toEqual([[undefined, undefined, undefined, undefined], "NOT_ALLOWED"]);
});

test("a host that starts nothing new does not restart a session either", async () => {
  const { reached, sessions } = viewOf({ duty: "draining" });

  expect(await refusal(() => sessions.restart(7))).toBe("FLEET_FULL");
  expect(reached).toEqual([]);
});

test("a door cannot write into the audit of a host", async () => {
  const { reached, sessions } = viewOf({});

  expect(await refusal(async () => sessions.noteFarAct({} as never))).toBe("NOT_ALLOWED");
  expect(reached).toEqual([]);
});
