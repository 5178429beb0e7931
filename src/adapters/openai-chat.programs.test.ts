import { expect, test } from "vitest";
import { closedAfterEach } from "../../test/support/closing.ts";
import { SEED_TOOLS } from "../../test/support/seed-tools.ts";
import { createOpenAiChatTools } from "./openai.ts";

const create = closedAfterEach(createOpenAiChatTools);

function toolCall(id: string, name: string, args: unknown) {
  const json = typeof args === "string" ? args : JSON.stringify(args);
  return { id, type: "function", function: { name, arguments: json } };
}

test("definitions are function tools of the Chat Completions API, as plain JSON", () => {
  const { tools } = create({ profile: "codex" });

  expect(tools).toEqual(
    SEED_TOOLS.map(({ inputSchema, ...tool }) => {
      return { type: "function", function: { ...tool, parameters: inputSchema, strict: false } };
    }),
  );
  expect(JSON.parse(JSON.stringify(tools))).toEqual(tools);
});

test("each call of a message gets a result, in order, mistakes too", async () => {
  const messages = await create().handleCalls([
    toolCall("call_1", "exec_command", { cmd: "sleep 0.1; echo hi", login: false }),
    toolCall("call_2", "exec_command", '{"cmd": "echo'),
    toolCall("call_3", "bash", {}),
    { id: "call_4", type: "custom" },
  ]);

  expect(messages).toEqual([
    {
      role: "tool",
      tool_call_id: "call_1",
      content: expect.stringMatching(/\nProcess exited with code 0, session ID \d+\nOutput:\nhi\n$/),
    },
    { role: "tool", tool_call_id: "call_2", content: expect.stringContaining("are not JSON") },
    { role: "tool", tool_call_id: "call_3", content: expect.stringContaining('The tool "bash" does not exist') },
    { role: "tool", tool_call_id: "call_4", content: expect.stringContaining("does not exist") },
  ]);
});

test("pictures follow all results, in one message of the user", async () => {
  const tools = create();
  const start = { cmd: "printf shown; exec sleep 1000", login: false, name: "shown", until: "shown" };
  await tools.handleCalls([toolCall("call_1", "exec_command", start)]);

  const messages = await tools.handleCalls([
    toolCall("call_2", "read_screen", { session_id: "shown", format: "png" }),
    toolCall("call_3", "read_screen", { session_id: "shown" }),
  ]);

  expect(messages).toEqual([
    { role: "tool", tool_call_id: "call_2", content: expect.stringContaining("The screen is in the picture.") },
    { role: "tool", tool_call_id: "call_3", content: expect.stringContaining("Screen:\nshown") },
    {
      role: "user",
      content: [
        {
          type: "image_url",
          image_url: { url: expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/), detail: "auto" },
        },
      ],
    },
  ]);
});

test("a message without calls gets no messages", async () => {
  const { handleCalls } = create();

  expect([await handleCalls(null), await handleCalls([])]).toEqual([[], []]);
});
