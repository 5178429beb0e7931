/** Rules, and the callback that asks a person, through each adapter: nothing runs before the answer. */
import { describe, expect, it, onTestFinished } from "vitest";
import { ASKS, letters, YES } from "../../test/support/policy/asking-rules.ts";
import type { Approval } from "../service/approvals/approval.ts";
import { createAiSdkTools } from "./ai-sdk.ts";
import { createAnthropicTools } from "./anthropic.ts";
import { createOpenAiTools } from "./openai.ts";
import { createOpenAiChatTools } from "./openai-chat.ts";
import type { ToolkitOptions } from "./toolkit.ts";

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
