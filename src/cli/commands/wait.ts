import { describeExit } from "../../base/exit.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionKey, SessionName } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { WaitResult } from "../../session/wait/decide-wait.ts";
import type { Args, Command } from "../args/command.ts";
import { atArg, jsonArg } from "../args/common-args.ts";
import { durationOf, isOn, listOf, textOf } from "../args/read-args.ts";
import { DEADLINE, ENDED, OK } from "../exit-codes.ts";
import { describeName } from "../print/describe-session.ts";
import { print, printJson } from "../print/print.ts";
import { warnOfScreens } from "../view/warn-of-screens.ts";
import { withHost } from "../with-host.ts";

export const wait: Command = {
  name: "wait",
  description:
    "Wait until a session exits, waits for input, prints a match or is quiet. Default: exit, input, or the end of a command in a shell.",
  args: {
    ids: { type: "positional", isOptional: true, isList: true, hint: "ID…", description: "Ids or names of sessions" },
    any: { type: "boolean", description: "Wait for any session that is running now" },
    until: {
      type: "string",
      short: "u",
      hint: "REGEX",
      description: "Wait until the output matches; for what a full-screen program shows: limpet screen --until",
    },
    new: { type: "boolean", description: "With --until: ignore output from before this command" },
    exit: { type: "boolean", description: "Wait until the program ends" },
    input: { type: "boolean", description: "Wait until the program waits for input" },
    command: { type: "boolean", short: "c", description: "Wait until a command of a shell finishes" },
    quiet: { type: "string", hint: "TIME", description: "Wait until nothing was printed for this long, such as 500ms" },
    timeout: { type: "string", short: "t", hint: "TIME", description: "Give up after this long and exit with 4" },
    ...jsonArg(),
    ...atArg,
  },
  examples: [
    "limpet wait dev --until 'Listening on' --timeout 30",
    "limpet wait 7 --exit && echo done",
    "limpet wait --any --input   # which session needs me?",
  ],
  run: (args) =>
    withHost(args, async (sessions) => {
      const wish = wishOf(args);
      const deadlineMs = durationOf(args, "timeout");
      const keys = listOf(args, "ids");
      const names = await chosen(sessions, args, keys);
      // With --any, there may be too many to look at.
      const searched = wish.until !== undefined && keys.length > 0 ? names : [];
      const waiting = new AbortController();
      // At the same time: the wait must not miss output.
      const warned = warnOfScreens(sessions, searched, waiting.signal);
      const target = { keys: names.map(keyOf), isNew: isOn(args, "new"), deadlineMs };
      const { session: about, result } = await waitUntil(sessions, wish, target).finally(() => waiting.abort());
      if (result.reason === "deadline" && !(await warned)) await warnOfScreens(sessions, searched);
      const { id, name, place } = about;
      const session = { id, name, place };
      // After a timeout, names all sessions.
      const meant = result.reason === "deadline" ? names : [session];
      if (isOn(args, "json")) printJson({ ...session, ...result });
      else print(`${meant.map(describeName).join(", ")}: ${describeResult(result)}`);
      return codeFor(result, wish);
    }),
};

interface WaitTarget {
  readonly keys: readonly SessionKey[];
  /** Ignore output from before this command. */
  readonly isNew: boolean;
  readonly deadlineMs: number | undefined;
}

/**
 * The end of a shell's command ends every wait; if the caller did not ask for it, the wait continues for the time that
 * is left.
 */
async function waitUntil(
  sessions: SessionService,
  wish: Wish,
  { keys, isNew, deadlineMs }: WaitTarget,
): Promise<{ readonly session: SessionName; readonly result: WaitResult }> {
  const startedMs = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    const leftMs = deadlineMs && Math.max(0, Math.round(deadlineMs - (performance.now() - startedMs)));
    const turn = await sessions.turn({
      caller: `limpet wait ${process.pid}`,
      on: { kind: "several", keys },
      skipUnread: isNew && isFirst,
      wait: {
        kind: "output",
        onInput: wish.input,
        ...(wish.until === undefined ? {} : { until: wish.until }),
        ...(wish.quietMs === undefined ? {} : { quietMs: wish.quietMs }),
        ...(leftMs === undefined ? {} : { deadlineMs: leftMs }),
      },
    });
    const result = turn.result as WaitResult;
    if (result.reason !== "finished" || wish.command) return { session: turn.session, result };
  }
}

interface Wish {
  readonly until: string | undefined;
  readonly quietMs: number | undefined;
  readonly exit: boolean;
  readonly input: boolean;
  readonly command: boolean;
}

function wishOf(flags: Args): Wish {
  const until = textOf(flags, "until");
  const quietMs = durationOf(flags, "quiet", "ms");
  const [exit, input, command] = [isOn(flags, "exit"), isOn(flags, "input"), isOn(flags, "command")];
  const isOpen = until === undefined && quietMs === undefined && !exit && !input && !command;
  return { until, quietMs, exit: exit || isOpen, input: input || isOpen, command: command || isOpen };
}

async function chosen(sessions: SessionService, flags: Args, keys: readonly string[]): Promise<readonly SessionName[]> {
  if (isOn(flags, "any") === keys.length > 0) {
    throw new LimpetError("BAD_OPTION", "wait needs session ids or --any, not both. Give one of them.");
  }
  if (keys.length > 0) {
    const found = await Promise.all(keys.map((key) => sessions.find(key)));
    return found.map(({ id, name, place }) => ({ id, name, place }));
  }
  const working = (await sessions.running()).filter(({ isIdle }) => !isIdle);
  if (working.length > 0) return working;
  throw new LimpetError("SESSION_NOT_FOUND", "No session is running. Start one with: limpet start CMD");
}

/** An exit ends every wait, and is a success only if the caller waited for it. */
function codeFor({ reason }: WaitResult, wish: Wish): number {
  if (reason === "deadline") return DEADLINE;
  return reason === "exited" && !wish.exit ? ENDED : OK;
}

function describeResult(result: WaitResult): string {
  switch (result.reason) {
    case "matched":
      return `printed ${JSON.stringify(result.text)}`;
    case "exited":
      return describeExit(result.exit);
    case "finished":
      return `command finished with code ${result.exitCode ?? "unknown"}${result.outOfMemory ? " (out of memory)" : ""} in ${result.cwd}`;
    case "input":
      return `waits for input: ${result.waitingFor}`;
    case "listening":
      return `listens on ${result.address} port ${result.port}`;
    case "quiet":
      return `quiet for ${Math.round(result.silentMs)} ms`;
    case "idle":
      return "idle: the shell runs no command";
    case "deadline":
      return "timed out, still running";
  }
}
