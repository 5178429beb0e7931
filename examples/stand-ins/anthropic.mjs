/** A scripted model behind the interface of Anthropic's client. It mistypes a parameter, reads the error and mends it. */
export const client = { messages: { create } };

async function create({ messages }) {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const block = nextBlock(blocks.filter(({ type }) => type === "tool_result").at(-1));
  return { role: "assistant", content: [block], stop_reason: block.type === "tool_use" ? "tool_use" : "end_turn" };
}

function nextBlock(last) {
  const cmd = "wc -l < /etc/passwd";
  if (last === undefined) return toolUse("toolu_1", { command: cmd });
  if (last.is_error) return toolUse("toolu_2", { cmd });
  return { type: "text", text: `It has ${/^Output:\n\s*(\d+)/m.exec(last.content)[1]} lines.` };
}

function toolUse(id, input) {
  return { type: "tool_use", id, name: "exec_command", input };
}
