/**
 * Codex with its own `exec_command` and `write_stdin`. A server on loopback stands in for its model: each call of the
 * bench is what the model asks for next, so a time includes one round of Codex's loop, as it does for its users.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { responses } from "../../../scripts/clients/dialects/responses.mjs";
import { startModel } from "../../../scripts/clients/model-server.mjs";
import { startClient } from "../../../scripts/clients/start-client.mjs";
import { codeIn, collect } from "../collect.mjs";
import { tokensOf } from "../mcp-peer.mjs";

const TOOLS = ["exec_command", "write_stdin"];
const CODE = /exited with code (\d+)/;
const SESSION = /session ID (\d+)/;
const LIMIT_MS = 10 * 60_000;
const READY_MS = 60_000;

const native = { ...responses, toolNames: ({ tools = [] }) => tools.map(({ name }) => name) };

export const codex = {
  name: "codex",
  title: "Codex",
  source: { spec: "@openai/codex@0.166.0", entry: "package.json" },
  async start({ directory, env }, { modules }) {
    const model = await startModel(native, { isOurs: (name) => TOOLS.includes(name), suffix: (call) => call });
    const home = join(directory, "home", ".codex");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "config.toml"), config(model.url));
    const usage = { calls: 0, tokens: 0 };
    const turns = bridge();
    const told = model.follow(turns.story);
    told.catch(() => undefined);
    const own = { ...env, http_proxy: model.url, https_proxy: model.url, no_proxy: "127.0.0.1,localhost" };
    const client = startClient([program(modules)], ["exec", ...FLAGS, "Go on."], {
      env: own,
      cwd: directory,
      limitMs: LIMIT_MS,
    });
    client.ended.then((how) => turns.fail(new Error(`Codex has ended (${how}): ${client.output().slice(-300)}`)));
    await turns.ready(READY_MS);
    const call = async (name, args, limitMs = 60_000) => {
      usage.calls += 1;
      usage.tokens += tokensOf(args);
      const { text } = await turns.take({ call: name, args }, limitMs);
      usage.tokens += tokensOf(text);
      return text;
    };
    const poll = (id, first, isDone, limitMs) =>
      collect({
        first,
        poll: () => call("write_stdin", { session_id: id, chars: "", yield_time_ms: 5_000 }),
        isDone: (text) => isDone(text) || CODE.test(text),
        limitMs,
      });
    return {
      mcp: { usage, pid: client.pid, tools: model.tools(TOOLS) },
      hasTerminals: true,
      async run(cmd, { limitMs = 60_000 } = {}) {
        const args = { cmd, tty: true, login: false, yield_time_ms: 10_000 };
        const first = await call("exec_command", args, limitMs);
        const id = Number(SESSION.exec(first)?.[1]);
        const text = CODE.test(first) ? first : await poll(id, first, () => false, limitMs);
        return { text, code: codeIn(text, CODE), isOver: CODE.test(text) };
      },
      async open(cmd) {
        const text = await call("exec_command", { cmd, tty: true, login: false, yield_time_ms: 500 });
        return { id: Number(SESSION.exec(text)?.[1]), text };
      },
      async type(id, line, { until } = {}) {
        const chars = line === "\u0003" ? line : `${line}\n`;
        const first = await call("write_stdin", { session_id: id, chars });
        return await poll(id, first, (text) => new RegExp(until ?? "").test(text), 10_000);
      },
      wait: (id, until, limitMs) => poll(id, "", (text) => new RegExp(until).test(text), limitMs),
      kill: () => client.kill(),
      async end() {
        turns.finish();
        client.kill();
        await client.ended;
        model.close();
      },
    };
  },
};

const FLAGS = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];

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
  const vendor = join(modules, "@openai", `codex-linux-${process.arch}`, "vendor");
  const [target = ""] = existsSync(vendor) ? readdirSync(vendor) : [];
  return join(vendor, target, "bin", "codex");
}

/** Lets the bench ask for calls one after the other, while the model's story waits for the next. */
function bridge() {
  let [wake, settle, begin, refuse] = [];
  let waiting = new Promise((resolve) => {
    wake = resolve;
  });
  const begun = new Promise((resolve, reject) => {
    begin = resolve;
    refuse = reject;
  });
  begun.catch(() => undefined);
  const withLimit = async (promise, ms, what) => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms / 1000} s`)), ms);
    });
    try {
      return await Promise.race([promise, late]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    async *story() {
      begin();
      for (;;) {
        const step = await waiting;
        if (step === undefined) return;
        waiting = new Promise((resolve) => {
          wake = resolve;
        });
        const result = yield step;
        settle?.resolve(result);
      }
    },
    ready: (ms) => withLimit(begun, ms, "the start of Codex"),
    take(step, ms) {
      const taken = new Promise((resolve, reject) => {
        settle = { resolve, reject };
      });
      wake(step);
      return withLimit(taken, ms, step.call);
    },
    finish: () => wake(undefined),
    fail(error) {
      refuse(error);
      settle?.reject(error);
      wake(undefined);
    },
  };
}
