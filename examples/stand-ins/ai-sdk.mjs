/** A scripted model for the AI SDK. */
import { MockLanguageModelV3 } from "ai/test";

export const model = new MockLanguageModelV3({ doGenerate: async ({ prompt }) => nextStep(prompt) });

function nextStep(prompt) {
  const results = prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content);
  const [started, counted] = results.map(({ output }) => output.value);
  if (started === undefined) return toolCall("call_1", "exec_command", { cmd: "bash --norc" });
  if (counted === undefined) {
    const session_id = Number(/session ID (\d+)/.exec(started)[1]);
    return toolCall("call_2", "write_stdin", { session_id, chars: "echo $(seq 3)\n" });
  }
  return step("stop", { type: "text", text: `There: ${/1 2 3/.exec(counted)[0]}.` });
}

function toolCall(toolCallId, toolName, input) {
  return step("tool-calls", { type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) });
}

function step(reason, part) {
  const usage = { inputTokens: { total: 0 }, outputTokens: { total: 0 } };
  return { content: [part], finishReason: { unified: reason, raw: reason }, usage, warnings: [] };
}
