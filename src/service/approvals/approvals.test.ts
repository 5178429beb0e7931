import { expect, test } from "vitest";
import { handAlarm } from "../../../test/support/hand-alarm.ts";
import { MAX_OPEN_APPROVALS } from "../../base/limits.ts";
import { askerOf } from "../owners/asker.ts";
import type { Approval, ApprovalAct, ApprovalAsk, ApprovalDecision } from "./approval.ts";
import { Approvals } from "./approvals.ts";

const MINUTE = 60_000;
const ann = askerOf("ann", { project: "/api", reach: "project" }, "client 1");
const bob = askerOf("bob", { project: "/api", reach: "project" }, "client 2");
const ONCE: ApprovalDecision = { kind: "approve", scope: "once", by: "person" };
const DENY: ApprovalDecision = { kind: "deny", reason: "not today", by: "person" };

const act: ApprovalAct = {
  kind: "command",
  text: "git push",
  program: "/bin/bash",
  session: null,
  directory: "/api",
  env: {},
  sandbox: null,
};

let requests = 0;

function ask(given: Partial<ApprovalAsk> = {}): ApprovalAsk {
  requests += 1;
  return {
    caller: "ann",
    requestId: `request ${requests}`,
    client: "claude-code",
    tool: "run",
    act,
    reasons: [{ text: "The rule says ask", topic: "policy.json:3 git push" }],
    prefixes: [],
    timeoutMs: 10 * MINUTE,
    mode: "shared",
    ...given,
  };
}

function queue() {
  const clock = handAlarm();
  let nowMs = 0;
  const approvals = new Approvals({ alarm: clock.alarm, nowMs: () => nowMs });
  const pass = async (ms: number) => {
    nowMs += ms;
    await clock.pass(ms);
  };
  return { approvals, pass };
}

const stateOf = ({ state }: Approval) => state.kind;

test("a request is open with its age and its remaining time until somebody decides", async () => {
  const { approvals, pass } = queue();
  const { number } = approvals.ask(ask(), ann);
  await pass(MINUTE);

  expect(approvals.list()).toMatchObject([
    { number, caller: "ann", project: "/api", tool: "run", act, ageMs: MINUTE, leftMs: 9 * MINUTE },
  ]);
  approvals.decide(number, ONCE);
  expect(approvals.list()).toEqual([]);
});

test("the same request sent twice is one request", () => {
  const { approvals } = queue();
  const sent = ask({ mode: "own" });

  expect(approvals.ask(sent, ann).number).toBe(approvals.ask(sent, ann).number);
  expect(approvals.list()).toHaveLength(1);
});

test("an approval allows exactly one of two equal turns", () => {
  const { approvals } = queue();
  const [one, other] = [approvals.ask(ask(), ann), approvals.ask(ask(), ann)];
  expect(one.number).toBe(other.number);
  approvals.decide(one.number, ONCE);

  approvals.redeem(one.number, ann, { text: "git push" });

  expect(() => approvals.redeem(one.number, ann, { text: "git push" })).toThrow("has been used");
  expect(approvals.ask(ask(), ann)).toMatchObject({ number: other.number + 1, state: { kind: "open" } });
});

test("a repeated call finds the approval, and only the same call of the same caller does", () => {
  const { approvals } = queue();
  const { number } = approvals.ask(ask(), ann);
  approvals.decide(number, ONCE);

  expect(stateOf(approvals.ask(ask({ caller: "bob" }), bob))).toBe("open");
  expect(stateOf(approvals.ask(ask({ act: { ...act, directory: "/web" } }), ann))).toBe("open");
  expect(stateOf(approvals.ask(ask({ act: { ...act, env: { PATH: "/tmp" } } }), ann))).toBe("open");
  expect(stateOf(approvals.ask(ask({ mode: "own" }), ann))).toBe("approved");
});

test("an approval is not for another text, another caller, or a shell that has moved", () => {
  const { approvals } = queue();
  const { number } = approvals.ask(ask({ act: { ...act, session: 7 } }), ann);
  approvals.decide(number, ONCE);

  expect(() => approvals.redeem(number, ann, { text: "git push -f", directory: "/api" })).toThrow("something else");
  expect(() => approvals.redeem(number, ann, { text: "git push", directory: "/web" })).toThrow("something else");
  expect(() => approvals.redeem(number, bob, { text: "git push", directory: "/api" })).toThrow("does not exist");
  approvals.redeem(number, ann, { text: "git push", directory: "/api" });
});

test("without a decision the request is denied at its deadline, and a later decision is refused", async () => {
  const { approvals, pass } = queue();
  const { number } = approvals.ask(ask(), ann);

  await pass(10 * MINUTE);

  expect(() => approvals.decide(number, ONCE)).toThrow(`Approval ${number} was not decided or not used in time`);
  expect(stateOf(approvals.ask(ask(), ann))).toBe("expired");
  expect(stateOf(approvals.ask(ask(), ann))).toBe("open");
});

test("whoever waited until the deadline can ask again at once", async () => {
  const { approvals, pass } = queue();
  const { number } = approvals.ask(ask(), ann);
  const waiting = approvals.wait({ caller: "ann", number }, ann);

  await pass(10 * MINUTE);

  expect(stateOf(await waiting)).toBe("expired");
  expect(approvals.ask(ask(), ann)).toMatchObject({ number: number + 1, state: { kind: "open" } });
});

test("an approval that nobody uses lapses", async () => {
  const { approvals, pass } = queue();
  const { number } = approvals.ask(ask(), ann);
  approvals.decide(number, ONCE);

  await pass(10 * MINUTE);

  expect(() => approvals.redeem(number, ann, { text: "git push" })).toThrow("was not decided or not used in time");
});

test("of two decisions the first counts, and the same one again is no mistake", () => {
  const { approvals } = queue();
  const { number } = approvals.ask(ask(), ann);

  approvals.decide(number, DENY);

  expect(stateOf(approvals.decide(number, DENY))).toBe("denied");
  expect(() => approvals.decide(number, ONCE)).toThrow(`Approval ${number} was denied by person: "not today"`);
  expect(() => approvals.decide(99, ONCE)).toThrow("Approval 99 does not exist");
});

test("a denial answers the repeated call once", () => {
  const { approvals } = queue();
  const { number } = approvals.ask(ask(), ann);
  approvals.decide(number, DENY);

  expect(approvals.ask(ask(), ann)).toMatchObject({ number, state: { kind: "denied", reason: "not today" } });
  expect(stateOf(approvals.ask(ask(), ann))).toBe("open");
});

test("an approval for the session covers the same rule and program of that client alone", () => {
  const { approvals } = queue();
  const { number } = approvals.ask(ask(), ann);
  approvals.decide(number, { ...ONCE, scope: "session" } as ApprovalDecision);
  const again = { act: { ...act, text: "git push origin" } };
  const other = { text: "asks", topic: "policy.json:4 npm publish" };

  expect(approvals.ask(ask(again), ann)).toMatchObject({ state: { kind: "approved", scope: "session" } });
  expect(stateOf(approvals.ask(ask({ ...again, caller: "bob" }), bob))).toBe("open");
  expect(stateOf(approvals.ask(ask({ ...again, mode: "own", reasons: [...ask().reasons, other] }), ann))).toBe("open");
});

test("a wait ends with the decision, at its own deadline, and when it is aborted", async () => {
  const { approvals, pass } = queue();
  const { number } = approvals.ask(ask(), ann);
  const stop = new AbortController();
  const short = approvals.wait({ caller: "ann", number, deadlineMs: 1_000 }, ann);
  const aborted = approvals.wait({ caller: "ann", number, signal: stop.signal }, ann);
  const long = approvals.wait({ caller: "ann", number }, ann);

  await pass(1_000);
  stop.abort(new Error("enough"));
  expect(stateOf(await short)).toBe("open");
  await expect(aborted).rejects.toThrow("enough");
  approvals.decide(number, DENY);

  expect(stateOf(await long)).toBe("denied");
  await expect(approvals.wait({ caller: "bob", number }, bob)).rejects.toThrow("does not exist");
});

test("a cancelled call leaves nothing to decide", () => {
  const { approvals } = queue();
  const { number } = approvals.ask(ask({ mode: "own" }), ann);

  approvals.withdraw(number, bob);
  expect(approvals.list()).toHaveLength(1);
  approvals.withdraw(number, ann);

  expect(approvals.list()).toEqual([]);
  expect(() => approvals.decide(number, ONCE)).toThrow("was withdrawn, because its call was cancelled");
});

test("no more requests are open than a person decides, and none is too long to be read", () => {
  const { approvals } = queue();
  for (let index = 0; index < MAX_OPEN_APPROVALS; index += 1) {
    approvals.ask(ask({ act: { ...act, text: `push ${index}` } }), ann);
  }

  expect(() => approvals.ask(ask(), ann)).toThrow("64 requests wait for approval already");
  expect(() => approvals.ask(ask({ act: { ...act, text: "x".repeat(65_537) } }), ann)).toThrow("65537 characters");
});

test("each new request is announced once, one that an earlier approval covers not at all", () => {
  const { approvals } = queue();
  const opened: number[] = [];
  approvals.onOpened(({ number }) => opened.push(number));
  const first = approvals.ask(ask(), ann);
  approvals.ask(ask(), ann);
  approvals.decide(first.number, { ...ONCE, scope: "session" } as ApprovalDecision);

  approvals.ask(ask({ act: { ...act, text: "git push -v" } }), ann);

  expect(opened).toEqual([first.number]);
});
