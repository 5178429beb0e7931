/**
 * Is the program waiting for input, and for what? Pure: told from what the kernel says.
 *
 * | terminal mode          | foreground process is in          | waits for |
 * |------------------------|-----------------------------------|-----------|
 * | lines, echo            | `read` on the terminal            | a line    |
 * | lines, no echo         | any wait for the terminal         | a password |
 * | keys (not canonical)   | any wait for the terminal         | a key     |
 * | lines, echo            | `poll`, `select`, `epoll`, other  | nothing: a server, a timer, a computation |
 */
import type { TerminalObservation } from "./observe-terminal.ts";

/** What a program waits for. `unknown`: the kernel does not tell us, for instance of another user's program. */
export type InputState = "line" | "password" | "key" | "none" | "unknown";

export interface InputVerdict {
  readonly state: InputState;
  /**
   * True: no doubt is left. False: the program reads keys, and may only be between two steps of its own; it becomes certain when
   * a second look finds the same thread, not having run, and no output between.
   */
  readonly isCertain: boolean;
  /** What says so, in words. */
  readonly evidence: string;
  /** The same in two looks: the same thread has not run in between. */
  readonly fingerprint: string;
}

export function judgeInput(
  look: TerminalObservation | undefined | "input queued" | "ready for a command" | "no probe",
): InputVerdict {
  if (look === "ready for a command") return verdict("none", "the shell is ready for the next command");
  if (look === "input queued") return verdict("none", "input is still on its way to the program");
  if (look === "no probe") return verdict("unknown", "this transport cannot ask what the program waits for");
  if (!look) return verdict("unknown", "this session has no terminal to look at");
  const { mode, reader } = look;
  if (!mode) return verdict("none", "the terminal is gone");
  if (reader === "unknown") return verdict("unknown", "the kernel does not show what the foreground program waits in");
  if (reader === "none" || look.hasUnreadInput) return verdict("none", "nobody waits for the terminal's input");
  const behind = reader.relay === undefined ? "" : "behind a relay ";
  const evidence = `process ${reader.pid} waits in ${reader.call} ${behind}for a terminal in ${describeMode(mode)}`;
  const seen = { evidence, fingerprint: `${reader.pid} ${reader.runs} ${reader.relay ?? ""}` };
  if (!mode.isCanonical) return { state: "key", isCertain: false, ...seen };
  const isCertain = reader.call === "read";
  if (!mode.isEchoing) return { state: "password", isCertain, ...seen };
  return isCertain ? { state: "line", isCertain, ...seen } : verdict("none", evidence);
}

function describeMode({
  isCanonical,
  isEchoing,
}: {
  readonly isCanonical: boolean;
  readonly isEchoing: boolean;
}): string {
  return `${isCanonical ? "line" : "key"} mode ${isEchoing ? "with" : "without"} echo`;
}

function verdict(state: "none" | "unknown", evidence: string): InputVerdict {
  return { state, isCertain: true, evidence, fingerprint: "" };
}
