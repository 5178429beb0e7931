/**
 * Codex with its own `exec_command` and `write_stdin`. A server on loopback stands in for its model: each call of the
 * bench is the next tool call of that model. So a time includes one round of Codex's loop, as it does for its users.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { responses } from "../../../scripts/clients/dialects/responses.mjs";
import { startModel } from "../../../scripts/clients/model-server.mjs";
import { startClient } from "../../../scripts/clients/start-client.mjs";
import { tokensOf } from "../mcp-peer.mjs";
import { openBridge } from "./bridge.mjs";
import { codexVerbs } from "./codex-verbs.mjs";

const TOOLS = ["exec_command", "write_stdin"];
const LIMIT_MS = 10 * 60_000;
const READY_MS = 60_000;
const CALL_MS = 30_000;
const END_MS = 5_000;
const FLAGS = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
const PROGRAM = `codex-linux-${process.arch}`;

const native = { ...responses, toolNames: ({ tools = [] }) => tools.map(({ name }) => name) };

export const codex = {
  name: "codex",
  title: "Codex",
  // The package is a launcher; the program itself is an optional dependency beside it.
  source: { spec: "@openai/codex@0.166.0", entry: `../${PROGRAM}/package.json`, before: "2026-11-01" },
  async start({ directory, env }, { modules }) {
    const model = await startModel(native, { isOurs: (name) => TOOLS.includes(name), suffix: (call) => call });
    const home = join(directory, "home", ".codex");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "config.toml"), config(model.url));
    const usage = { calls: 0, tokens: 0 };
    const turns = openBridge();
    model.follow(turns.story).catch(() => undefined);
    const own = { ...env, http_proxy: model.url, https_proxy: model.url, no_proxy: "127.0.0.1,localhost" };
    const client = startClient([program(modules)], ["exec", ...FLAGS, "Go on."], {
      env: own,
      cwd: directory,
      limitMs: LIMIT_MS,
    });
    client.ended.then((how) => {
      // However it ended: a server that still listens would keep the benchmark running.
      model.close();
      turns.fail(new Error(`Codex has ended (${how}): ${client.output().slice(-300)}`));
    });
    await turns.ready(READY_MS);
    const call = async (name, args, limitMs = CALL_MS) => {
      usage.calls += 1;
      usage.tokens += tokensOf({ name, arguments: args });
      const { text } = await turns.take({ call: name, args }, limitMs);
      usage.tokens += tokensOf(text);
      return text;
    };
    return {
      mcp: { usage, pid: client.pid, tools: model.tools(TOOLS) },
      ...codexVerbs(call, { tty: true, login: false }),
      kill: () => client.kill(),
      /** The model says that it is done, and Codex ends by itself. */
      async end() {
        turns.finish();
        await Promise.race([client.ended, sleep(END_MS, undefined, { ref: false })]);
        client.kill();
        await client.ended;
      },
    };
  },
};

function config(url) {
  return [
    'model = "stub"',
    'model_provider = "stub"',
    "check_for_update_on_startup = false",
    "[analytics]",
    "enabled = false",
    "[features]",
    "unified_exec = true",
    "[model_providers.stub]",
    'name = "stub"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
  ].join("\n");
}

function program(modules) {
  const vendor = join(modules, "@openai", PROGRAM, "vendor");
  const [target = ""] = existsSync(vendor) ? readdirSync(vendor) : [];
  return join(vendor, target, "bin", "codex");
}
