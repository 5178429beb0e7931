/** Rules, and the callback that asks a person, through each adapter: nothing runs before the answer. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { closedAfterEach } from "../../test/support/closing.ts";
import { skipTestWithout } from "../../test/support/needs.ts";
import { policyOf } from "../../test/support/policy/policies.ts";
import { temporaryDirectory } from "../../test/support/watching.ts";
import { deferred } from "../base/async/deferred.ts";
import { policyFile } from "../entries/service.ts";
import type { Approval } from "../service/approvals/approval.ts";
import { LocalService } from "../service/local-service.ts";
import { SessionRegistry } from "../session/registry/session-registry.ts";
import type { ApprovalAnswer } from "../tools/guard/client-asker.ts";
import { createAiSdkTools } from "./ai-sdk.ts";
import { createAnthropicTools } from "./anthropic.ts";
import { createOpenAiTools } from "./openai.ts";
import { createOpenAiChatTools } from "./openai-chat.ts";
import { Toolkit, type ToolkitOptions } from "./toolkit.ts";

const toolkit = closedAfterEach((options: ToolkitOptions = {}) => new Toolkit(options));
const ASKS = policyOf({
  default: "ask",
  rules: [{ prefix: ["echo"], decision: "allow" }],
  cautions: { write: "allow" },
});
const YES: ApprovalAnswer = { kind: "approve", scope: "once" };

/** A command that appends a letter to a file, and what is in the file. */
function letters() {
  const file = join(temporaryDirectory(), "letters");
  const args = { cmd: `tee -a ${file} <<< x`, login: false, shell: "/bin/bash", yield_time_ms: 20_000 };
  return { args, content: () => (existsSync(file) ? readFileSync(file, "utf8") : "") };
}

function sessions(): LocalService {
  const registry = new SessionRegistry();
  onTestFinished(() => registry.closeAll({ force: true }));
  return new LocalService(registry);
}

type Call = (args: object) => Promise<string>;

/** What the model reads about one call of exec_command, by each adapter. */
const ADAPTERS: Readonly<Record<string, (options: ToolkitOptions) => { call: Call; close(): Promise<void> }>> = {
  openai: (options) => {
    const { handleCall, close } = createOpenAiTools(options);
    const item = { type: "function_call", call_id: "1", name: "exec_command" } as const;
    return {
      close,
      call: async (args) => JSON.stringify(await handleCall({ ...item, arguments: JSON.stringify(args) })),
    };
  },
  "openai, chat": (options) => {
    const { handleCalls, close } = createOpenAiChatTools(options);
    const call: Call = async (args) => {
      const made = { name: "exec_command", arguments: JSON.stringify(args) };
      return JSON.stringify(await handleCalls([{ id: "1", type: "function", function: made }]));
    };
    return { close, call };
  },
  anthropic: (options) => {
    const { handleCall, close } = createAnthropicTools(options);
    const block = { type: "tool_use", id: "1", name: "exec_command" } as const;
    return { close, call: async (input) => JSON.stringify(await handleCall({ ...block, input })) };
  },
  "ai-sdk": (options) => {
    const { tools, close } = createAiSdkTools(options);
    const call: Call = async (args) => {
      const execute = tools["exec_command"]?.execute;
      return JSON.stringify(await execute?.(args, { toolCallId: "1", messages: [] }));
    };
    return { close, call };
  },
};

describe.each(Object.entries(ADAPTERS))("through %s", (_, open) => {
  it("an approved call runs once, after a person has seen all of it", async () => {
    const { args, content } = letters();
    const seen: Approval[] = [];
    const approve = async (approval: Approval) => {
      seen.push(approval);
      expect(content()).toBe("");
      return YES;
    };
    const { call, close } = open({ policy: { rules: () => ASKS }, approve });
    onTestFinished(close);

    const answer = await call(args);

    expect(answer).toContain("Process exited with code 0");
    expect(content()).toBe("x\n");
    expect(seen).toMatchObject([
      { tool: "exec_command", act: { kind: "command", text: args.cmd, program: "/bin/bash", sandbox: null } },
    ]);
  });

  it("a denied call does not run, and the model reads why", async () => {
    const { args, content } = letters();
    const approve = async () => ({ kind: "deny", reason: "Not today." }) as const;
    const { call, close } = open({ policy: { rules: () => ASKS }, approve });
    onTestFinished(close);

    expect(await call(args)).toMatch(/POLICY_DENIED: Approval \d+ was denied by a person in the client: .*Not today/);
    expect(content()).toBe("");
  });

  it("without a callback, the call fails and says that a person must approve it", async () => {
    const { args, content } = letters();
    const { call, close } = open({ policy: { rules: () => ASKS } });
    onTestFinished(close);

    expect(await call(args)).toMatch(/APPROVAL_NEEDED: Nothing was run: a person must approve it first/);
    expect(content()).toBe("");
  });
});

describe("the callback", () => {
  it("is not called for what the rules allow or deny", async () => {
    const rules = policyOf({ default: "allow", rules: [{ prefix: ["rm"], decision: "deny" }] });
    const approve = async () => {
      throw new Error("called");
    };
    const made = toolkit({ policy: { rules: () => rules }, approve });

    expect((await made.call("exec_command", { cmd: "echo hi" })).text).toContain("hi");
    expect((await made.call("exec_command", { cmd: "rm x" })).text).toMatch(/^POLICY_DENIED: The policy denies this/);
  });

  it("that fails has asked nobody: nothing runs, and no question stays open", async () => {
    const { args, content } = letters();
    const service = sessions();
    const approve = async () => {
      throw new Error("the window was closed");
    };
    const made = toolkit({ sessions: service, policy: { rules: () => ASKS }, approve });

    const { text, isError } = await made.call("exec_command", args);

    expect({ text, isError }).toEqual({
      text: expect.stringMatching(/^APPROVAL_NEEDED: .*the window was closed/),
      isError: true,
    });
    expect(content()).toBe("");
    await expect.poll(() => service.approvals.list()).toEqual([]);
  });

  it.each([undefined, null, true, {}, { kind: "maybe" }])("that answers %j approves nothing", async (answer) => {
    const { args, content } = letters();
    const approve = async () => answer as never;

    const { isError } = await toolkit({ policy: { rules: () => ASKS }, approve }).call("exec_command", args);

    expect(isError).toBe(true);
    expect(content()).toBe("");
  });

  it("gets a signal that ends with the call, after which an answer changes nothing", async () => {
    const { args, content } = letters();
    const service = sessions();
    const stop = new AbortController();
    const late = deferred<ApprovalAnswer>();
    const asked = deferred<AbortSignal>();
    const approve = (_approval: Approval, signal: AbortSignal) => {
      asked.resolve(signal);
      return late.promise;
    };
    const made = toolkit({ sessions: service, policy: { rules: () => ASKS }, approve });
    const call = made.call("exec_command", args, { signal: stop.signal });
    const signal = await asked.promise;

    stop.abort(new Error("enough"));

    await expect(call).rejects.toThrow("enough");
    expect(signal.aborted).toBe(true);
    late.resolve(YES);
    await expect.poll(() => service.approvals.list()).toEqual([]);
    expect(content()).toBe("");
  });

  it("that takes too long is a denial", async () => {
    const { args, content } = letters();
    const signals: AbortSignal[] = [];
    const approve = (_approval: Approval, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<never>(() => undefined);
    };
    const made = toolkit({ policy: { rules: () => ASKS, timeoutMs: 50 }, approve });

    expect((await made.call("exec_command", args)).text).toMatch(/^POLICY_DENIED: Approval 1 was not decided/);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(content()).toBe("");
  });

  it("is not called again for what was approved for the session, but for everything else", async () => {
    const { args, content } = letters();
    const asked: string[] = [];
    const approve = async ({ act }: Approval) => {
      asked.push(act.text);
      return { kind: "approve", scope: "session" } as const;
    };
    const made = toolkit({ policy: { rules: () => ASKS }, approve });

    await made.call("exec_command", args);
    await made.call("exec_command", args);
    await made.call("exec_command", { ...args, cmd: "true other" });

    expect(asked).toEqual([args.cmd, "true other"]);
    expect(content()).toBe("x\nx\n");
  });

  it("is called for each of several equal calls at once, and each runs once", async () => {
    const { args, content } = letters();
    let asked = 0;
    const approve = async () => {
      asked += 1;
      return YES;
    };
    const made = toolkit({ policy: { rules: () => ASKS }, approve });

    await Promise.all([1, 2, 3].map(() => made.call("exec_command", args)));

    expect({ asked, content: content() }).toEqual({ asked: 3, content: "x\nx\nx\n" });
  });

  it("is asked about what is typed into a program", async () => {
    const typed: string[] = [];
    const approve = async ({ act }: Approval) => {
      typed.push(`${act.kind} ${act.text}`);
      return act.kind === "input" ? ({ kind: "deny" } as const) : YES;
    };
    const made = toolkit({ policy: { rules: () => ASKS }, approve });
    const { structured } = await made.call("exec_command", { cmd: "cat", login: false });

    const { text } = await made.call("write_stdin", { session_id: structured["session_id"], chars: "rm x\n" });

    expect(text).toMatch(/^POLICY_DENIED/);
    expect(typed).toEqual(["command cat", "input rm x\n"]);
  });

  it("ends with the tools", async () => {
    const { args, content } = letters();
    const asked = deferred<void>();
    const approve = () => {
      asked.resolve();
      return new Promise<never>(() => undefined);
    };
    const made = toolkit({ policy: { rules: () => ASKS }, approve });
    const call = made.call("exec_command", args);
    await asked.promise;

    await made.close();

    expect((await call).text).toMatch(/^SESSION_CLOSING/);
    expect(content()).toBe("");
  });
});

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
