import { describe, expect, test } from "vitest";
import { HOSTILE, SIDE_EFFECTS } from "../../../test/support/policy/hostile-commands.ts";
import { commandAct, decide, policyOf } from "../../../test/support/policy/policies.ts";
import { judge } from "./judge.ts";
import { PRESETS, type Preset } from "./sources/presets.ts";

const DENY_RM = { prefix: ["rm"], decision: "deny" };
const ALLOW_ECHO = { prefix: ["echo"], decision: "allow" };

describe.each(Object.entries(HOSTILE))("rm does not get past the rules by %s", (_, commands) => {
  test.each(commands)("%j, where everything else is allowed", (command) => {
    expect(decide(command, policyOf({ default: "allow", rules: [DENY_RM] }))).not.toBe("allow");
  });

  test.each(commands)("%j, where nothing else is allowed", (command) => {
    expect(decide(command, policyOf({ rules: [DENY_RM] }))).not.toBe("allow");
  });

  test.each(commands)("%j, where only echo is allowed", (command) => {
    expect(decide(command, policyOf({ rules: [ALLOW_ECHO] }))).not.toBe("allow");
  });
});

test("no hostile command passes the preset careful", () => {
  const { description: _, ...content } = PRESETS["careful"] as Preset;
  const policy = policyOf(content);

  expect(
    Object.values(HOSTILE).flatMap((commands) => commands.filter((each) => decide(each, policy) === "allow")),
  ).toEqual([]);
});

test.each(SIDE_EFFECTS)("%j is asked although echo is allowed", (command) => {
  expect(decide(command, policyOf({ default: "allow", rules: [ALLOW_ECHO] }))).toBe("ask");
});

test.each([
  "echo hi",
  "echo 'rm x'",
  "echo $x",
  'echo "a $HOME b"',
  "echo a 2>&1",
  "echo a > /dev/null",
  "echo a 2>/dev/null | echo b",
  "for i in 1 2 3; do echo $i; done",
  "if echo a; then echo b; else echo c; fi",
  "x=1; echo $x",
  "files=$(echo a b); echo $files",
  "LANG=C echo a",
  "echo a # rm x",
  "echo $((1 + 2))",
  "echo äöü 日本",
  "cat <<E\nrm x\nE",
  "set -euo pipefail; echo a",
  "",
  "# nothing",
])("%j runs only what is allowed", (command) => {
  const rules = [ALLOW_ECHO, { prefix: ["cat"], decision: "allow" }, { prefix: ["set"], decision: "allow" }];
  expect(decide(command, policyOf({ rules }))).toBe("allow");
});

test.each(["$(", "<(", '"$(', "coproc ", "function f ", "$[", "! ", "`", "{a,", "${x:-", "(", "if ", "[[ (", "x"])(
  "a line of 70,000 characters %j, or 5,000 of them around rm, does not pass",
  (opener) => {
    const policy = policyOf({ default: "allow", rules: [DENY_RM] });
    const nested = `${opener.repeat(5_000)};rm x;${")".repeat(5_000)}`;

    expect(decide(opener.repeat(70_000 / opener.length), policy)).toBe("ask");
    expect(decide(nested, policy)).not.toBe("allow");
  },
);

test("without a policy everything is allowed", () => {
  expect(judge(commandAct("rm -rf /"), { layers: [] })).toEqual({ decision: "allow", reasons: [] });
});

test("deny wins over ask, and ask over allow", () => {
  const rules = [
    { prefix: ["git"], decision: "allow" },
    { prefix: ["git", "push"], decision: "ask" },
    { prefix: ["git", "push", "--force"], decision: "deny" },
  ];
  const policy = policyOf({ rules });

  expect(["git log", "git push", "git push --force"].map((command) => decide(command, policy))).toEqual([
    "allow",
    "ask",
    "deny",
  ]);
});

test("a deny rule for a subcommand looks behind options", () => {
  const policy = policyOf({
    default: "allow",
    cautions: { option: "allow", hooks: "allow", wrapper: "allow", "computed-option": "allow" },
    rules: [
      { prefix: ["git", "push"], decision: "deny" },
      { prefix: ["docker", "rm"], decision: "deny" },
    ],
  });

  expect(decide("git -C . push", policy)).toBe("deny");
  expect(decide("git --no-pager push", policy)).toBe("deny");
  expect(decide("docker -H host rm x", policy)).toBe("ask");
  expect(decide("git $x", policy)).toBe("ask");
  expect(decide("echo x | xargs git", policy)).toBe("ask");
  expect(decide("git log push", policy)).toBe("allow");
});

test("a reason names the rule with its line, and the part of the command", () => {
  const policy = policyOf({ rules: [{ ...DENY_RM, why: "Nothing is deleted." }, ALLOW_ECHO] });

  expect(judge(commandAct("echo a; bash -c 'rm x'"), policy)).toEqual({
    decision: "deny",
    reasons: [
      { decision: "deny", rule: "user.json:1", part: "rm x", why: "Nothing is deleted." },
      {
        decision: "ask",
        rule: "user.json:1",
        part: "bash -c 'rm x'",
        why: "Whether the rule applies is known only when it runs.",
      },
      { decision: "ask", rule: "default of user.json", part: "bash -c 'rm x'", why: "No rule covers it." },
      { decision: "ask", rule: "caution wrapper", part: "bash -c 'rm x'", why: "It runs another program." },
      { decision: "allow", rule: "user.json:1", part: "echo a", why: "The rule says allow." },
    ],
  });
});

test("an allow rule for a name is not one for a path", () => {
  const policy = policyOf({ rules: [ALLOW_ECHO, { prefix: ["/opt/tool"], decision: "allow" }] });

  expect(decide("./echo x", policy)).toBe("ask");
  expect(decide("/tmp/echo x", policy)).toBe("ask");
  expect(decide("/opt/tool x", policy)).toBe("allow");
});

test("the arguments of a program are judged without a shell", () => {
  const policy = policyOf({ rules: [ALLOW_ECHO, DENY_RM] });
  const run = (...[program = "", ...args]: string[]) =>
    judge({ kind: "program", program, args, cwd: "/", env: {} }, policy).decision;

  expect(run("echo", "$(rm x)", ";", "rm")).toBe("allow");
  expect(run("/bin/rm", "x")).toBe("deny");
  expect(run("env", "rm", "x")).toBe("deny");
  expect(run("bash", "-c", "echo a; rm x")).toBe("deny");
});

test("what is typed into a program needs a grant of its own", () => {
  const type = (program: string, text: string, policy: object) =>
    judge({ kind: "input", program, text }, policyOf(policy)).decision;
  const bash = { rules: [{ prefix: ["bash"], decision: "allow" }] };

  expect(type("bash", "echo a\n", bash)).toBe("ask");
  expect(type("/usr/bin/vim", ":!rm x\r", { input: { python3: "allow" } })).toBe("ask");
  expect(type("/usr/bin/python3", "1+1\n", { input: { python3: "allow" } })).toBe("allow");
  expect(type("bash", "rm x\n", { input: "allow", rules: [DENY_RM] })).toBe("deny");
  expect(type("less", "q", { input: "deny" })).toBe("deny");
});

test("names that an agent defined in the shell before are asked about", () => {
  const policy = policyOf({ default: "allow", rules: [ALLOW_ECHO] });

  expect(decide("echo a", policy, { isShared: true, definedNames: ["echo"] })).toBe("ask");
  expect(decide("echo a | ls", policy, { isShared: true, definedNames: ["ls"] })).toBe("ask");
  expect(decide("echo a", policy, { isShared: true, definedNames: ["other"] })).toBe("allow");
  expect(decide("echo a", policy, { isShared: true, definedNames: "any" })).toBe("ask");
  expect(decide("echo !!", policy, { isShared: true })).toBe("ask");
});

describe("a project's file", () => {
  const user = { rules: [ALLOW_ECHO, { prefix: ["ls"], decision: "allow" }] };

  test("narrows what the user allows", () => {
    const policy = policyOf(user, { rules: [{ prefix: ["ls"], decision: "deny" }] });

    expect(decide("ls", policy)).toBe("deny");
    expect(decide("echo a", policy)).toBe("allow");
  });

  test("does not widen it", () => {
    const all = { prefix: ["rm"], decision: "allow", accept: ["write"] };
    const policy = policyOf(user, {
      default: "allow",
      input: "allow",
      env: ["*"],
      cautions: { write: "allow", variable: "allow", wrapper: "allow" },
      rules: [all, { prefix: ["env"], decision: "allow" }],
    });

    for (const command of ["rm x", "echo a > f", "LD_PRELOAD=x echo a", "env echo a"])
      expect(decide(command, policy)).toBe("ask");
    expect(judge({ kind: "input", program: "bash", text: "ls" }, policy).decision).toBe("ask");
  });

  test("alone does not make everything else allowed that can hide its rules", () => {
    const policy = policyOf(undefined, { rules: [DENY_RM] });

    expect(decide("ls", policy)).toBe("allow");
    expect(decide("rm x", policy)).toBe("deny");
    expect(decide("$x", policy)).toBe("ask");
  });
});
