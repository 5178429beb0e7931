/** Anthropic's Messages API, as Claude Code and opencode speak it. */

export const messages = {
  isTurn: (method, path) => method === "POST" && path.startsWith("/v1/messages") && !path.includes("count_tokens"),

  toolNames: ({ tools = [] }) => tools.map(({ name }) => name),

  /** The results of all tool calls, in order. */
  results({ messages: history }) {
    return history
      .flatMap(({ role, content }) => (role === "user" && Array.isArray(content) ? content : []))
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => {
        const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
        return {
          text: parts.map(({ text = "" }) => text).join("\n"),
          pictures: parts.filter(({ type }) => type === "image").map(({ source }) => source.data),
        };
      });
  },

  /** `step`: `{ call, args }`, with the client's name of the tool, or `{ say }`. */
  answer({ call, args, say }, { id, body, send, json }) {
    const block = call ? { type: "tool_use", id: `toolu_${id}`, name: call, input: args } : { type: "text", text: say };
    const reason = { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model: body.model, usage };
    if (!body.stream) return json({ ...message, ...reason, content: [block] });
    send("message_start", { message: { ...message, content: [], stop_reason: null, stop_sequence: null } });
    send("content_block_start", { index: 0, content_block: call ? { ...block, input: {} } : { ...block, text: "" } });
    const delta = call
      ? { type: "input_json_delta", partial_json: JSON.stringify(args) }
      : { type: "text_delta", text: say };
    send("content_block_delta", { index: 0, delta });
    send("content_block_stop", { index: 0 });
    send("message_delta", { delta: reason, usage });
    send("message_stop", {});
  },
};
