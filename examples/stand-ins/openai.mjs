/** A scripted model behind the interface of OpenAI's client: the same calls and answers, without the network. */
export const client = { responses: { create } };

async function create({ input }) {
  const results = input.filter(({ type }) => type === "function_call_output").map(({ output }) => output);
  const item = nextItem(results);
  return { output: [item], output_text: item.content?.[0].text ?? "" };
}

function nextItem([started, computed]) {
  if (started === undefined) return functionCall("call_1", "exec_command", { cmd: "python3 -q" });
  if (computed === undefined) {
    const session_id = Number(/session ID (\d+)/.exec(started)[1]);
    return functionCall("call_2", "write_stdin", { session_id, chars: "2 ** 100\n" });
  }
  const text = `It is ${/\b\d{20,}\b/.exec(computed)[0]}.`;
  return { type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] };
}

function functionCall(call_id, name, args) {
  return { type: "function_call", call_id, name, arguments: JSON.stringify(args) };
}
