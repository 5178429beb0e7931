/** Google's generateContent API, as Gemini CLI speaks it. */

export const generateContent = {
  isTurn: (method, path) => method === "POST" && /:(?:streamG|g)enerateContent/.test(path),

  toolNames: ({ tools = [] }) =>
    tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),

  /** A picture follows its function's response as a part of its own. */
  results({ contents }) {
    const parts = contents.filter(({ role }) => role === "user").flatMap((content) => content.parts ?? []);
    const results = [];
    for (const { functionResponse, inlineData } of parts) {
      if (functionResponse) {
        const { output, error } = functionResponse.response ?? {};
        results.push({ text: String(output ?? error ?? ""), pictures: pictures(functionResponse.parts ?? []) });
      } else if (inlineData) {
        results.at(-1)?.pictures.push(inlineData.data);
      }
    }
    return results;
  },

  answer({ call, args, say }, { path, data, json }) {
    const part = call ? { functionCall: { name: call, args } } : { text: say };
    const answer = {
      candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: "stub",
    };
    if (path.includes(":stream")) data(answer);
    else json(answer);
  },

  /** Everything that is not a turn is a count. */
  other: { totalTokens: 1 },
};

function pictures(parts) {
  return parts.flatMap(({ inlineData }) => (inlineData ? [inlineData.data] : []));
}
