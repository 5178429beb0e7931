/** What binds the programs of a model: rules, of a shell that has run other commands too, and a sandbox. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { closedAfterEach } from "../../test/support/closing.ts";
import { skipTestWithout } from "../../test/support/needs.ts";
import { YES } from "../../test/support/policy/asking-rules.ts";
import { policyOf } from "../../test/support/policy/policies.ts";
import { temporaryDirectory } from "../../test/support/watching.ts";
import { policyFile } from "../entries/service.ts";
import type { Approval } from "../service/approvals/approval.ts";
import { Toolkit, type ToolkitOptions } from "./toolkit.ts";

const toolkit = closedAfterEach((options: ToolkitOptions = {}) => new Toolkit(options));

describe("in a shell that has run other commands", () => {
  const RULES = policyOf({ default: "allow", input: { bash: "allow" } });

  /** The commands that a person was asked about. */
  async function askedAfter(...commands: readonly string[]): Promise<readonly string[]> {
    const asked: string[] = [];
    const approve = async ({ act }: Approval) => {
      asked.push(act.text);
      return YES;
    };
    const made = toolkit({ policy: { rules: () => RULES }, approve });
    for (const command of commands) await made.call("run", { command });
    return asked;
  }

  it.each([
    ["nothing", ["true", "git --version"], []],
    ["a function of another name", ["other() { :; }", "git --version"], ["other() { :; }"]],
    ["a function of this name", ["git() { :; }", "git --version"], ["git() { :; }", "git --version"]],
    ["computed code", ['eval "$X"', "git --version"], ['eval "$X"', "git --version"]],
    ["a file", [". /dev/null", "git --version"], [". /dev/null", "git --version"]],
  ])("a person is asked about what it may have defined: %s", async (_, commands, expected) => {
    expect(await askedAfter(...commands)).toEqual(expected);
  });

  it("a person is asked about everything after half a line that was typed", async () => {
    const asked: string[] = [];
    const approve = async ({ act }: Approval) => {
      asked.push(act.text);
      return YES;
    };
    const made = toolkit({ policy: { rules: () => RULES }, approve });
    const bash = { cmd: "bash --norc -i", login: false, shell: "/bin/bash", until: "\\$ $", yield_time_ms: 20_000 };
    const { structured } = await made.call("exec_command", bash);
    const type = (chars: string) => made.call("write_stdin", { session_id: structured["session_id"], chars });
    asked.splice(0);

    await type("ls\n");
    expect(asked).toEqual([]);
    for (const chars of ["ali", "as ls=true\n", "ls\n"]) await type(chars);

    expect(asked.at(-1)).toBe("ls\n");
  });
});

describe("rules in a file", () => {
  it("are read before each act", async () => {
    const file = join(temporaryDirectory(), "policy.json");
    const made = toolkit({ policy: { rules: policyFile(file) } });
    const decideFor = async (policy: string) => {
      writeFileSync(file, policy);
      return (await made.call("exec_command", { cmd: "echo hi", login: false })).text;
    };

    expect(await decideFor('{ "default": "allow" }')).toContain("hi");
    expect(await decideFor('{ "default": "deny" }')).toMatch(/^POLICY_DENIED/);
    expect(await decideFor('{\n "defualt": "deny" }')).toMatch(/^BAD_POLICY: .*policy\.json: Line 2 has an unknown/);
  });

  it("must exist", async () => {
    const made = toolkit({ policy: { rules: policyFile("/nowhere/policy.json") } });

    expect((await made.call("exec_command", { cmd: "echo hi" })).text).toMatch(
      /^BAD_POLICY: \/nowhere\/policy\.json does not exist/,
    );
  });
});

it.each([
  { files: "readonly" },
  { files: "workspace", netwrk: "off" },
  { default: { files: "workspace", network: "of" }, ceiling: undefined },
])("a mistake in the sandbox of a model is refused before it gets any tool: %j", (sandbox) => {
  expect(() => toolkit({ sandbox: sandbox as never })).toThrow("which is not a sandbox");
});

it("a sandbox and limits bind the programs of a model", async () => {
  skipTestWithout("landlock");
  const made = toolkit({ sandbox: { files: "read-only" }, programLimits: { openFiles: 64 } });

  const { text } = await made.call("exec_command", {
    cmd: "touch mine; ulimit -n; echo $LIMPET_SANDBOX",
    login: false,
  });

  expect(text).toMatch(/Permission denied[\s\S]*64\s+read-only/);
  expect((await made.call("exec_command", { cmd: "true", sandbox: "off" })).text).toContain(
    "wider than a person allows",
  );
});
