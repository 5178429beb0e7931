/** The verbs of the bench in the two tools of Codex, which limpet has too. `call` returns the text of an answer. */
import { codeIn, collect } from "../collect.mjs";

const CODE = /exited with code (\d+)/;
const END = /exited with code|killed by signal/;
const SESSION = /session ID (\d+)/;

/** `extra`: further arguments of `exec_command`. */
export function codexVerbs(call, extra = {}) {
  const exec = (cmd, yieldMs, limitMs) => call("exec_command", { cmd, ...extra, yield_time_ms: yieldMs }, limitMs);
  // Only the end of the program ends a wait early.
  const poll = (id, first, isDone, limitMs, yieldMs = 5_000) =>
    collect({
      first,
      poll: () => call("write_stdin", { session_id: id, chars: "", yield_time_ms: yieldMs }),
      isDone: (text) => isDone(text) || END.test(text),
      limitMs,
    });
  return {
    hasTerminals: true,
    async run(cmd, { limitMs = 60_000 } = {}) {
      const first = await exec(cmd, 10_000, limitMs + 5_000);
      const id = Number(SESSION.exec(first)?.[1]);
      const text = END.test(first) ? first : await poll(id, first, () => false, limitMs);
      return { text, code: codeIn(text, CODE), isOver: END.test(text) };
    },
    async open(cmd) {
      const text = await exec(cmd, 500);
      return { id: Number(SESSION.exec(text)?.[1]), text };
    },
    async type(id, line, { until } = {}) {
      const chars = line === "\u0003" ? line : `${line}\n`;
      const first = await call("write_stdin", { session_id: id, chars });
      return await poll(id, first, (text) => new RegExp(until ?? "").test(text), 10_000, 500);
    },
    // There is no tool to close a session: a model interrupts its program.
    close: (id) => call("write_stdin", { session_id: id, chars: "\u0003" }),
    wait: (id, until, limitMs) => poll(id, "", (text) => new RegExp(until).test(text), limitMs),
  };
}
