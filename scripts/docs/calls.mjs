/**
 * Blocks of tool calls, as an agent makes them: a line with a tool and its arguments as JSON, which may continue in
 * indented lines, then lines with `→` and a text that the answer must contain.
 */
import { McpPeer } from "../../bench/peers/mcp-peer.mjs";

/** Pure: `[{ tool, args, expect: [text] }]`. Throws if the block cannot be read. */
export function parseCalls(code) {
  const calls = [];
  for (const line of code.split("\n").filter((each) => each.trim() !== "")) {
    if (line.startsWith("→ ")) calls.at(-1).expect.push(line.slice(2).trim());
    else if (/^\s/.test(line)) calls.at(-1).json += ` ${line.trim()}`;
    else {
      const [, tool, json] = /^(\w+)\s+(\{.*)$/.exec(line) ?? [];
      if (tool === undefined) throw new Error(`not a call: ${line}`);
      calls.push({ tool, json, expect: [] });
    }
  }
  return calls.map(({ tool, json, expect }) => ({ tool, args: JSON.parse(json), expect }));
}

/** The problem of a call that no tool would accept; undefined if it is fine. */
function callProblem({ tool, args }, tools) {
  const found = tools.find(({ name }) => name === tool);
  if (!found) return `there is no tool ${tool}`;
  const unknown = Object.keys(args).find((name) => !(name in found.inputSchema.properties) && name !== "place");
  return unknown === undefined ? undefined : `${tool} has no parameter ${unknown}`;
}

/** Makes the calls through a server of their own. Returns the first problem, or undefined. */
export async function callsProblem(calls, { command, env, cwd, isRun }) {
  const server = new McpPeer(command, { env, cwd });
  try {
    await server.initialize();
    for (const call of calls) {
      const problem = callProblem(call, server.tools) ?? (isRun ? await answerProblem(server, call) : undefined);
      if (problem !== undefined) return problem;
    }
    return undefined;
  } finally {
    await server.end();
  }
}

async function answerProblem(server, { tool, args, expect }) {
  const { text } = await server.call(tool, args, { limitMs: 60_000 });
  const missing = expect.find((part) => !text.includes(part));
  return missing === undefined ? undefined : `${tool}: ${JSON.stringify(missing)} is not in ${JSON.stringify(text)}`;
}
