/** What a model reads, line for line. `npx vitest run -u` writes the golden files anew. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { INSTRUCTIONS } from "../../src/adapters/mcp/create-mcp-server.ts";
import { profiles } from "../../src/tools/profiles.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { normalise, openTools, type Toolbox } from "../support/tools.ts";

function golden(name: string): string {
  return fileURLToPath(new URL(`../golden/tools/${name}.txt`, import.meta.url));
}

interface Definition {
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
}

interface Step {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Calls and their texts, one after the other, as one page. */
async function transcript(tools: Toolbox, steps: readonly Step[]): Promise<string> {
  const parts: string[] = [];
  for (const { tool, args } of steps) {
    const { text, isError } = await tools.raw(tool, args);
    parts.push(`>>> ${tool} ${JSON.stringify(args)}${isError ? " (error)" : ""}\n${text}\n`);
  }
  return normalise(parts.join("\n"));
}

const plain = { login: false, shell: "/bin/sh" };
const exec = (cmd: string, more: Readonly<Record<string, unknown>> = {}): Step => ({
  tool: "exec_command",
  args: { cmd, ...plain, ...more },
});
const write = (session_id: string, chars: string, more: Readonly<Record<string, unknown>> = {}): Step => ({
  tool: "write_stdin",
  args: { session_id, chars, yield_time_ms: 10_000, ...more },
});

const run = (command: string, more: Readonly<Record<string, unknown>> = {}): Step => ({
  tool: "run",
  args: { command, ...more },
});

test.each<{ readonly name: string; readonly steps: readonly Step[] }>([
  {
    name: "exits",
    steps: [
      exec("echo hello"),
      exec("echo gone; exit 3"),
      exec("kill -KILL $$"),
      exec("printf 'no line end'"),
      exec("true"),
      { tool: "list_sessions", args: {} },
    ],
  },
  {
    name: "shell",
    steps: [
      run("cd /usr; greeting=hello; echo $greeting"),
      run("echo $greeting; false"),
      run("read -p 'Name? ' name; echo Hello $name"),
      run("echo too early"),
      { tool: "write_stdin", args: { session_id: "default", chars: "Ann\n", yield_time_ms: 10_000 } },
      run("cat", { stdin: "given\n" }),
      run("sleep 60", { timeout_ms: 5_000 }),
      run("seq 1 2000", { max_output_tokens: 20 }),
      run("exit 3"),
      run("echo greeting=$greeting"),
    ],
  },
  {
    name: "screen",
    steps: [
      exec("printf 'one\\n\\033[7mtwo\\033[0m\\n\\033]0;title\\007three'; exec cat", { name: "lines" }),
      { tool: "read_screen", args: { session_id: "lines" } },
      write("lines", "more", { keys: ["Enter"], screen: true }),
      { tool: "read_screen", args: { session_id: "lines", changes: true } },
      { tool: "write_stdin", args: { session_id: "lines", keys: ["Entr"] } },
      { tool: "write_stdin", args: { session_id: "lines", keys: ["Click(1,1)"] } },
      { tool: "read_screen", args: { session_id: "lines", until: "never", deadline_ms: 30 } },
      { tool: "read_screen", args: { session_id: "none" } },
    ],
  },
  {
    name: "conversation",
    steps: [
      exec("echo Name?; read name; echo Hello $name; read rest", { name: "greeter" }),
      write("greeter", "Ann\n"),
      { tool: "list_sessions", args: {} },
      write("greeter", "\n"),
      { tool: "list_sessions", args: { ended: true } },
      write("greeter", "too late\n"),
      { tool: "read_output", args: { session_id: "greeter" } },
      { tool: "close_session", args: { session_id: "greeter" } },
      { tool: "read_output", args: { session_id: "greeter" } },
    ],
  },
  {
    name: "list",
    steps: [
      exec("exit 3", { name: "over" }),
      exec("echo up; exec sleep 1000", { name: "busy", until: "up" }),
      exec("printf 'Name? '; read name", { name: "asks" }),
      { tool: "list_sessions", args: { ended: true } },
      { tool: "list_sessions", args: { ended: true, from: 2 } },
      { tool: "list_sessions", args: { ended: true, grep: "running|code 3" } },
      { tool: "list_sessions", args: { grep: "nobody" } },
      { tool: "list_sessions", args: { from: 9 } },
    ],
  },
  {
    name: "password",
    steps: [
      exec("stty -echo; printf 'Password: '; read secret; stty echo; echo; echo got $secret", { name: "login" }),
      write("login", "tea\n"),
    ],
  },
  {
    name: "still-running",
    steps: [
      exec("echo up; exec sleep 1000", { name: "dev server", until: "up" }),
      exec("echo up; exec sleep 1000", { until: "up" }),
      exec("echo done"),
      exec("echo again", { name: "dev server", reuse: true, yield_time_ms: 0 }),
      exec("echo again", { name: "dev server" }),
      { tool: "wait_for", args: { session_ids: ["dev server"], events: ["quiet"], quiet_ms: 1 } },
      run("echo hello"),
      { tool: "read_output", args: { session_id: "dev server" } },
      { tool: "read_output", args: { session_id: "dev server", grep: "up" } },
      { tool: "read_screen", args: { session_id: "dev server" } },
      { tool: "resize_session", args: { session_id: "dev server", cols: 100, rows: 30 } },
      { tool: "close_session", args: { session_id: "dev server", force: true } },
    ],
  },
  {
    name: "truncated",
    steps: [
      exec("awk 'BEGIN { for (i = 1; i <= 1000; i++) print i * i }'", { max_output_tokens: 16, name: "numbers" }),
      { tool: "read_output", args: { session_id: "numbers", max_output_tokens: 16 } },
      { tool: "read_output", args: { session_id: "numbers", head: 3 } },
      { tool: "read_output", args: { session_id: "numbers", tail: 3 } },
      { tool: "read_output", args: { session_id: "numbers", grep: "^10[02]\\d\\d$", context: 1 } },
      { tool: "read_output", args: { session_id: "numbers", grep: "^1", max_output_tokens: 8 } },
      { tool: "read_output", args: { session_id: "numbers", grep: "^nothing$" } },
      { tool: "read_output", args: { session_id: "numbers", grep: "^5929$" } },
    ],
  },
  {
    name: "refusals",
    steps: [
      { tool: "wait_for", args: {} },
      write("99999", "hello"),
      exec("cat", { name: "open one" }),
      write("nobody", "hello"),
      exec("true", { name: "42" }),
      exec("true", { name: "a\nb" }),
      exec("true", { workdir: "/nowhere/at/all" }),
      exec("true", { shell: "/no/such/shell" }),
      { tool: "read_output", args: { session_id: "open one", grep: "(" } },
      { tool: "read_output", args: { session_id: "open one", grep: "a(?=b)" } },
      { tool: "resize_session", args: { session_id: "open one", cols: 0, rows: 24 } },
      { tool: "resize_session", args: { session_id: "open one", cols: 132, rows: 50 } },
      exec("exec sleep 1000", { tty: false, name: "piped", yield_time_ms: 0 }),
      { tool: "resize_session", args: { session_id: "piped", cols: 132, rows: 50 } },
      { tool: "close_session", args: { session_id: "piped", force: true } },
      { tool: "close_session", args: { session_id: "piped" } },
    ],
  },
])("the text of $name is what it is meant to be", async ({ name, steps }) => {
  await using tools = openTools();

  await expect(await transcript(tools, steps)).toMatchFileSnapshot(golden(name));
});

/** A tool as a model reads it, with a line for each parameter. */
function definition({ name, description, inputSchema }: Tool): string {
  const { properties, required = [] } = inputSchema as unknown as Definition;
  const lines = Object.entries(properties).map(([param, schema]) => {
    const { description: words, ...type } = schema;
    const isNeeded = required.includes(param) ? " (required)" : "";
    return `  ${param}${isNeeded} ${JSON.stringify(type)}${words === undefined ? "" : `: ${words}`}`;
  });
  return [`${name}: ${description}`, ...lines, ""].join("\n");
}

test("the tools and the instructions of the server read as they are meant to", async () => {
  const text = [INSTRUCTIONS, "", ...profiles.all.tools.map(definition)].join("\n");

  await expect(text).toMatchFileSnapshot(golden("definitions"));
});

test("at the limit, the refusal lists what could be closed", async () => {
  await using tools = openTools("all", { maxSessions: 2 });

  const text = await transcript(tools, [
    exec("exec sleep 1000", { name: "first", yield_time_ms: 0 }),
    exec("exec sleep 1000", { yield_time_ms: 0 }),
    exec("true"),
    { tool: "close_session", args: { session_id: "first", force: true } },
    exec("echo room again"),
  ]);

  await expect(text).toMatchFileSnapshot(golden("limit"));
});
