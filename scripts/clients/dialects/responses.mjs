/** OpenAI's Responses API, as Codex speaks it: the tools of a server are a namespace. */

const NAMESPACE = "mcp__limpet";

export const responses = {
  isTurn: (method, path) => method === "POST" && path.endsWith("/responses"),

  toolNames: ({ tools = [] }) =>
    tools
      .filter(({ type, name }) => type === "namespace" && name === NAMESPACE)
      .flatMap(({ tools: inner }) => inner.map(({ name }) => `${NAMESPACE}_${name}`)),

  results({ input }) {
    return input
      .filter(({ type }) => type === "function_call_output")
      .map(({ output }) => {
        const parts = typeof output === "string" ? [{ text: output }] : output;
        return {
          text: parts.map(({ text = "" }) => text).join("\n"),
          pictures: parts.flatMap(({ image_url: url = "" }) => (url === "" ? [] : [url.split(",").at(-1)])),
        };
      });
  },

  answer({ call, args, say }, { id, send }) {
    const item = call
      ? {
          type: "function_call",
          id: `fc_${id}`,
          call_id: `call_${id}`,
          ...nameOf(call),
          arguments: JSON.stringify(args),
        }
      : { type: "message", id: `msg_${id}`, role: "assistant", content: [{ type: "output_text", text: say }] };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    send("response.created", { response: { id: `resp_${id}` } });
    send("response.output_item.added", { output_index: 0, item });
    send("response.output_item.done", { output_index: 0, item });
    send("response.completed", { response: { id: `resp_${id}`, usage } });
  },
};

/** Tools of the client itself are in no namespace. */
function nameOf(call) {
  if (!call.startsWith(NAMESPACE)) return { name: call };
  return { namespace: NAMESPACE, name: call.slice(NAMESPACE.length + 1) };
}
