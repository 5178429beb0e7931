/** From the start of the server to its list of tools, in a new home: nothing is there that an earlier start has left. */
export const start = {
  name: "start",
  rounds: 5,
  startsItself: true,
  metrics: {
    ms: { title: "start to `tools/list`", unit: "ms", better: "less" },
    tokens: {
      title: "tokens of the list of tools, with the server's instructions",
      unit: "tokens",
      better: "less",
      isExact: true,
    },
  },
  async measure({ startPeer, tokensOf, contender }) {
    const startedMs = performance.now();
    const peer = await startPeer();
    const ms = performance.now() - startedMs;
    // A library has no tools for a model.
    return contender.isLibrary ? { ms } : { ms, tokens: tokensOf(givenToModel(peer.mcp)) };
  },
};

/** What clients pass on to their model. Annotations and schemas of results stay with the client. */
function givenToModel({ tools, instructions = "" }) {
  const definitions = tools.map(({ name, description, inputSchema, parameters }) => ({
    name,
    description,
    inputSchema: inputSchema ?? parameters,
  }));
  return `${instructions}${JSON.stringify(definitions)}`;
}
