/** An agent on the Vercel AI SDK, without the network: the SDK's own test model plays one that counts to three in a shell. */
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { createAiSdkTools } from "limpet/ai-sdk";

const limpet = createAiSdkTools();
const model = new MockLanguageModelV3({ doGenerate: async ({ prompt }) => nextStep(prompt) });

try {
  const { text, steps } = await generateText({
    model,
    tools: limpet.tools,
    stopWhen: stepCountIs(5),
    prompt: "Count to three, in a shell that stays open.",
  });
  for (const { toolCalls, toolResults } of steps) {
    for (const { toolName, input } of toolCalls) console.log(`call: ${toolName} ${JSON.stringify(input)}`);
    for (const { output } of toolResults) console.log(output.text.replace(/^/gm, "  | "));
  }
  console.log(`agent: ${text}`);
} finally {
  await limpet.close();
}

/** What the model says next, from what it has in front of it. */
function nextStep(prompt) {
  const results = prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content);
  const [started, counted] = results.map(({ output }) => output.value);
  if (started === undefined) return toolCall("call_1", "exec_command", { cmd: "bash --norc", login: false });
  if (counted === undefined) {
    const session_id = Number(/session ID (\d+)/.exec(started)[1]);
    return toolCall("call_2", "write_stdin", { session_id, chars: "echo $(seq 3)\n", yield_time_ms: 10_000 });
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
