/** `npm run test:inspector`: calls each tool once with the MCP Inspector's command line, each time on a new server. */
import { fetchMcpTools, server } from "./mcp-tools.mjs";
import { build, Counts, report, run } from "./run.mjs";

const list = (tools) => ({ tools, args: ["--method", "tools/list", "--strict"], says: '"tools"', isStrict: true });
const call = (tools, name, says, ...given) => ({
  tools,
  args: ["--method", "tools/call", "--tool-name", name, ...given.flatMap((pair) => ["--tool-arg", pair])],
  says,
});
const [echo, unknown] = [["cmd=echo $((40 + 2))", "login=false", "yield_time_ms=10000"], "SESSION_NOT_FOUND"];

// Every run has a new server, so the only session is the one that the call starts.
const cases = [
  list("all"),
  call("all", "exec_command", "Output:\\n42\\n", ...echo),
  call("all", "write_stdin", unknown, "session_id=9", "chars=x"),
  call("all", "wait_for", unknown, "session_ids=[9]"),
  call("all", "read_output", unknown, "session_id=9"),
  call("all", "run", "Command exited with code 0", "command=echo hi"),
  call("all", "read_screen", unknown, "session_id=9"),
  call("all", "list_sessions", "No sessions"),
  call("all", "resize_session", unknown, "session_id=9", "cols=80", "rows=24"),
  call("all", "close_session", unknown, "session_id=9"),
  list("codex"),
  call("codex", "exec_command", "Output:\\n42\\n", ...echo),
  call("codex", "write_stdin", "unknown session id 9", "session_id=9", "chars=x"),
  list("unified"),
  call("unified", "unified_exec", '\\"success\\":true', ...echo),
  call("unified", "write_stdin", '\\"success\\":false', "session_id=9", "chars=x"),
  call("unified", "close_pty_session", '\\"success\\":false', "session_id=9"),
  call("unified", "list_pty_sessions", '\\"count\\":0'),
  { tools: "all", args: ["--method", "resources/list"], says: '"limpet://brief"' },
  { tools: "all", args: ["--method", "resources/templates/list"], says: "limpet://sessions/{session}/output" },
];

const tools = (await build()).ok ? await fetchMcpTools() : undefined;
const counts = new Counts();
if (tools) for (const one of cases) await check(one);
else counts.fail("the build");
report(counts);

async function check({ tools: profile, args, says, isStrict = false }) {
  const command = [tools.node, tools.inspector, "--cli", ...server, "--tools", profile, ...args];
  const { ok, output, how } = await run("the inspector", command, { capture: true, limitMs: 60_000 });
  // If the answer is an error, the Inspector also exits with an error.
  const found = output.includes(says) && (ok || !isStrict);
  console.log(`${found ? "passed" : "FAILED"}: ${profile} ${args.join(" ")}${found ? "" : ` (${how}): ${output}`}`);
  if (found) counts.pass();
  else counts.fail(`${profile} ${args.join(" ")}`);
}
