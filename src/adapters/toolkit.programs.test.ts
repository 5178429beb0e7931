import { describe, expect, it, onTestFinished } from "vitest";
import { closedAfterEach } from "../../test/support/closing.ts";
import { until } from "../../test/support/sessions.ts";
import { LocalService } from "../service/local-service.ts";
import { SessionRegistry } from "../session/registry/session-registry.ts";
import { profiles } from "../tools/profiles.ts";
import type { ToolResult } from "../tools/tool.ts";
import { Toolkit, type ToolkitOptions } from "./toolkit.ts";

const toolkit = closedAfterEach((options: ToolkitOptions = {}) => new Toolkit(options));

function registry(): SessionRegistry {
  const made = new SessionRegistry();
  onTestFinished(() => made.closeAll({ force: true }));
  return made;
}

function idOf({ structured }: ToolResult): number {
  return Number(structured["session_id"]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a call", () => {
  it("runs a command", async () => {
    const { text, isError } = await toolkit().call("exec_command", { cmd: "echo hi", login: false });

    expect(text).toMatch(/^Wall time: [\d.]+ seconds\nProcess exited with code 0, session ID \d+\nOutput:\nhi\n$/);
    expect(isError).toBe(false);
  });

  it.each(["__proto__", "constructor", "exec", ""])(
    "of the unknown tool %j is answered with the known ones",
    async (name) => {
      const answered = await toolkit({ profile: "codex" }).call(name, {});

      const message = `The tool "${name}" does not exist. Use one of: exec_command, write_stdin.`;
      expect(answered).toEqual({
        text: `BAD_OPTION: ${message}`,
        structured: { error: { code: "BAD_OPTION", message } },
        isError: true,
      });
    },
  );

  it.each([[[]], ["cmd"], [42], [{ cmd: 1 }], [{}]])("with the arguments %j is answered as an error", async (args) => {
    const { text, isError } = await toolkit().call("exec_command", args);

    expect(text).toMatch(/^BAD_OPTION: /);
    expect(isError).toBe(true);
  });

  it("that breaks in an unforeseen way is answered as an error", async () => {
    const sessions = new LocalService(registry());
    sessions.turn = () => Promise.reject(new TypeError("no such thing"));

    const answered = await toolkit({ sessions }).call("exec_command", { cmd: "true", login: false });

    expect(answered).toMatchObject({ text: "exec_command failed unexpectedly: no such thing", isError: true });
  });
});

describe("an aborted call", () => {
  it("rejects with the signal's reason, and its program goes on", async () => {
    const held = registry();
    const tools = toolkit({ registry: held });
    const abort = new AbortController();
    const reason = new Error("enough");

    const call = tools.call("exec_command", { cmd: "sleep 600", login: false }, { signal: abort.signal });
    await until(() => held.list().length === 1, "the session");
    abort.abort(reason);

    await expect(call).rejects.toBe(reason);
    expect(held.list()).toHaveLength(1);
  });

  it("starts nothing when it was aborted before", async () => {
    const held = registry();
    const reason = new Error("too late");

    const call = toolkit({ registry: held }).call(
      "exec_command",
      { cmd: "true" },
      { signal: AbortSignal.abort(reason) },
    );

    await expect(call).rejects.toBe(reason);
    expect(held.list({ ended: true })).toEqual([]);
  });

  it("rejects even while it types into a program that does not read", async () => {
    const held = registry();
    const tools = toolkit({ registry: held });
    const started = await tools.call("exec_command", {
      cmd: "stty raw; echo ready; sleep 600",
      login: false,
      until: "ready",
    });
    const abort = new AbortController();
    const reason = new Error("enough");

    const args = { session_id: idOf(started), chars: "x".repeat(500_000) };
    const call = tools.call("write_stdin", args, { signal: abort.signal });
    setImmediate(() => abort.abort(reason));

    await expect(call).rejects.toBe(reason);
  });
});

describe("callers", () => {
  it("of two toolkits on one registry each read all of the output once", async () => {
    const held = registry();
    const [first, second] = [toolkit({ registry: held }), toolkit({ registry: held })];
    const started = await first.call("exec_command", { cmd: "echo hi; exec cat", login: false, until: "hi\\n" });
    const look = { session_id: idOf(started), chars: "", yield_time_ms: 0 };

    const outputs = [
      started,
      await first.call("write_stdin", look),
      await second.call("write_stdin", look),
      await second.call("write_stdin", look),
    ].map(({ structured }) => structured["output"]);

    expect(outputs).toEqual(["hi\n", "", "hi\n", ""]);
  });
});

describe("closing", () => {
  it("ends all that the toolkit's own sessions started", async () => {
    const tools = toolkit();
    const cmd = "setsid sleep 600 & echo $! $$ started; wait";
    const { structured } = await tools.call("exec_command", { cmd, login: false, until: "started" });
    const pids = /(\d+) (\d+) started/.exec(String(structured["output"]))?.slice(1).map(Number) ?? [];

    await tools.close();

    expect(pids).toHaveLength(2);
    await until(() => !pids.some(isAlive), "the end of both");
  });

  it("answers the calls that wait, and those that come later", async () => {
    const tools = toolkit();
    const waiting = tools.call("exec_command", { cmd: "sleep 600", login: false });

    const closing = tools.close();
    const late = tools.call("exec_command", { cmd: "true" });

    const text = "SESSION_CLOSING: These tools are closed. Create new ones.";
    expect(await Promise.all([waiting, late])).toMatchObject([
      { text, isError: true },
      { text, isError: true },
    ]);
    await closing;
    await tools.close();
  });

  it("leaves the sessions of a registry that was given", async () => {
    const held = registry();
    const tools = toolkit({ registry: held });
    await tools.call("exec_command", { cmd: "cat", login: false, yield_time_ms: 0 });

    await tools.close();

    expect(held.list()).toHaveLength(1);
  });
});

describe("options", () => {
  it("name a profile, whose limits the toolkit's own registry has", async () => {
    const tools = toolkit({ profile: "unified" });
    const start = () => tools.call("unified_exec", { cmd: "cat", yield_time_ms: 0 });

    const answers = await Promise.all(Array.from({ length: 11 }, start));

    expect(tools.tools).toBe(profiles.unified.tools);
    expect(answers.filter(({ isError }) => isError).map(({ text }) => text)).toEqual([
      expect.stringContaining("All 10 sessions are in use"),
    ]);
  });

  it("that contradict each other or name no profile are refused", () => {
    const held = registry();
    const both = { registry: held, sessions: new LocalService(held) };

    expect(() => new Toolkit(both)).toThrow("registry and sessions cannot be combined.");
    expect(() => new Toolkit({ profile: "toString" as "all" })).toThrow(
      'profile is "toString", which does not exist. Use one of: all, codex, unified.',
    );
  });
});
