/** The callback that asks a person: when it is called, what its answers do, and how it ends. */
import { describe, expect, it, onTestFinished } from "vitest";
import { closedAfterEach } from "../../test/support/closing.ts";
import { ASKS, letters, YES } from "../../test/support/policy/asking-rules.ts";
import { policyOf } from "../../test/support/policy/policies.ts";
import { deferred } from "../base/async/deferred.ts";
import type { Approval } from "../service/approvals/approval.ts";
import { LocalService } from "../service/local-service.ts";
import { SessionRegistry } from "../session/registry/session-registry.ts";
import type { ApprovalAnswer } from "../tools/guard/client-asker.ts";
import { Toolkit, type ToolkitOptions } from "./toolkit.ts";

const toolkit = closedAfterEach((options: ToolkitOptions = {}) => new Toolkit(options));

function sessions(): LocalService {
  const registry = new SessionRegistry();
  onTestFinished(() => registry.closeAll({ force: true }));
  return new LocalService(registry);
}

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
