/** What a turn gives to the shell of a session, as far as that can define something in it. */
import { basename } from "node:path";
import { readProcess } from "../../linux/processes/processes.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import { looksLikeShell } from "../../transport/env/child-env.ts";
import type { StartRequest } from "../turn/start-request.ts";
import type { TurnRequest } from "../turn/turn-request.ts";
import type { GivenText } from "./defined-names.ts";
import { isFreeInput } from "./is-free-input.ts";
import { textOfTurn } from "./text-of-turn.ts";
import { typedCommand } from "./typed-command.ts";

/** Variables from which shells take functions and files to run. */
const DEFINING = /^(?:BASH_FUNC_.*|BASH_ENV|ENV|ZDOTDIR)$/s;

/** The path of the shell that reads what is typed; null if another program does. */
export function readingShell(session: Session): string | null {
  const { foreground } = internalsOf(session);
  return foreground === null && looksLikeShell(programOf(session)) ? session.program : null;
}

/** The name of the program of a session, which may have become another one. */
export function programOf({ pid, program }: Session): string {
  return (pid === null ? undefined : readProcess(pid)?.name) ?? basename(program);
}

export function typedText(session: Session, request: TurnRequest): GivenText {
  const { strokes, secret } = request.input ?? { strokes: [] };
  // Keys that interrupt or move the caret run nothing, and a secret goes to a program that asks for it.
  if (secret !== undefined || isFreeInput(strokes)) return { kind: "input", text: "" };
  const text = textOfTurn({ on: { kind: "session", key: session.id }, input: { strokes } });
  if (readingShell(session) === null) return { kind: "input", text };
  const command = typedCommand(strokes);
  return command === undefined ? { kind: "part", text } : { kind: "command", text: command };
}

/** As a line for a shell. Variables that contain definitions are part of it. */
export function startText({ command, program = "", args = [], env = {} }: StartRequest): string {
  const brought = Object.keys(env).some((name) => DEFINING.test(name)) ? "source it\n" : "";
  return brought + (command ?? [program, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" "));
}
