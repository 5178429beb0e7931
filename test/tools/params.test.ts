import { expect, test } from "vitest";
import { profiles } from "../../src/tools/profiles.ts";
import { openTools } from "../support/tools.ts";

function propertiesOf(tool: string): Record<string, Record<string, unknown>> {
  const found = profiles.all.tools.find(({ name }) => name === tool);
  return found?.inputSchema["properties"] as Record<string, Record<string, unknown>>;
}

/** In words. "-": it is not said. */
const defaults = (tool: string) =>
  Object.fromEntries(
    Object.entries(propertiesOf(tool)).map(([name, { description = "" }]) => {
      const words = /(?:^|; )default ([^;]+)$/.exec(String(description))?.[1];
      return [name, words === undefined ? "-" : /^\d+$/.test(words) ? Number(words) : words];
    }),
  );

test("each tool has the parameters of its contract, and says the defaults that a model needs", () => {
  expect(Object.fromEntries(profiles.all.tools.map(({ name }) => [name, defaults(name)]))).toEqual({
    exec_command: {
      cmd: "-",
      yield_time_ms: 10_000,
      max_output_tokens: "-",
      fold: "-",
      shell: "-",
      login: "-",
      workdir: "-",
      tty: "-",
      env: "-",
      secret_env: "-",
      name: "-",
      reuse: "-",
      cols: "-",
      rows: "-",
      until: "-",
      answer_queries: "-",
      sandbox: "-",
      limits: "-",
    },
    write_stdin: {
      session_id: "-",
      chars: "-",
      keys: "-",
      secret: "-",
      paste: "-",
      screen: "-",
      yield_time_ms: "-",
      max_output_tokens: "-",
      fold: "-",
      until: "-",
      since: "-",
    },
    wait_for: {
      session_ids: "-",
      until: "-",
      events: "exited, input",
      port: "-",
      approval: "-",
      quiet_ms: "-",
      deadline_ms: 600_000,
      max_output_tokens: "-",
      fold: "-",
    },
    read_output: {
      session_id: "-",
      from: "-",
      head: "-",
      tail: "-",
      grep: "-",
      context: "-",
      raw: "-",
      max_output_tokens: "-",
      fold: "-",
    },
    read_screen: {
      session_id: "-",
      format: "-",
      scrollback: "-",
      changes: "-",
      until: "-",
      stable_ms: "-",
      deadline_ms: 10_000,
    },
    run: {
      command: "-",
      shell: "-",
      timeout_ms: 120_000,
      max_output_tokens: "-",
      fold: "-",
      stdin: "-",
      workdir: "-",
      env: "-",
      secret_env: "-",
      sandbox: "-",
      cols: "-",
    },
    list_sessions: { ended: "-", all: "-", grep: "-", from: "-" },
    resize_session: { session_id: "-", cols: "-", rows: "-" },
    close_session: { session_id: "-", force: "-" },
  });
});

test("without max_output_tokens, an answer has 10,000 tokens of a longer output", async () => {
  await using tools = openTools();
  const command = "seq 1 20000";
  const started = await tools.call("exec_command", { cmd: command, login: false, fold: false });

  const answers = [
    started,
    await tools.call("run", { command, fold: false }),
    await tools.call("read_output", { session_id: started.structured["session_id"], fold: false }),
  ];

  const tokens = answers.map(({ structured }) => Math.round(Buffer.byteLength(structured["output"]) / 4_000));
  expect(tokens).toEqual([10, 10, 10]);
});

test("no schema has a list of types, which Gemini CLI warns about at every call", () => {
  const schemas = JSON.stringify(profiles.all.tools.map(({ inputSchema }) => inputSchema));

  expect(schemas.match(/"type":\[(?!"string","null"\])[^\]]*\]/g)).toBeNull();
  expect(schemas).toContain('"session_id":{"anyOf":[{"type":"integer"},{"type":"string"}]}');
});
