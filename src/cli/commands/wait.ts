import { describeExit } from "../../base/exit.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { SessionName, SessionService } from "../../service/session-service.ts";
import type { WaitResult } from "../../session/wait/decide-wait.ts";
import type { Command } from "../command.ts";
import { describeName } from "../describe.ts";
import { DEADLINE, ENDED, OK } from "../exit-codes.ts";
import { type Flags, isOn, secondsOf, textOf, wholeOf } from "../flags.ts";
import { print, printJson } from "../print.ts";
import { jsonArg } from "../session-arg.ts";
import { withHost } from "../with-host.ts";
import type { Words } from "../words.ts";

const LONGEST_QUIET_MS = 86_400_000;

export const wait: Command = {
  meta: {
    name: "wait",
    description:
      "Wait until there is something to know of a session, or of the first of several. Default: exit or input.",
  },
  args: {
    ids: { type: "positional", required: false, valueHint: "ID…", description: "Ids or names of sessions" },
    any: { type: "boolean", description: "Of all sessions that run" },
    until: { type: "string", alias: "u", valueHint: "REGEX", description: "Until the output matches" },
    new: { type: "boolean", description: "With --until: only output from now on counts" },
    exit: { type: "boolean", description: "Until the program ends" },
    input: { type: "boolean", description: "Until the program waits for input" },
    quiet: { type: "string", valueHint: "MS", description: "Until nothing was printed for so many milliseconds" },
    timeout: { type: "string", alias: "t", valueHint: "SECONDS", description: "No longer than this; then exit code 4" },
    ...jsonArg(),
  },
  takesWords: true,
  examples: [
    "limpet wait dev --until 'Listening on' --timeout 30",
    "limpet wait 7 --exit && echo done",
    "limpet wait --any --input   # which of them needs me?",
  ],
  run: ({ args, data }) =>
    withHost(async (sessions) => {
      const wish = wishOf(args);
      const deadlineMs = secondsOf(args, "timeout");
      const names = await chosen(sessions, args, (data as Words).others);
      const caller = `limpet wait ${process.pid}`;
      const turn = await sessions.turn({
        caller,
        on: { kind: "several", keys: names.map((name) => name.id) },
        skipUnread: isOn(args, "new"),
        wait: {
          kind: "output",
          onInput: wish.input,
          ...(wish.until === undefined ? {} : { until: wish.until }),
          ...(wish.quietMs === undefined ? {} : { quietMs: wish.quietMs }),
          ...(deadlineMs === undefined ? {} : { deadlineMs }),
        },
      });
      const { id } = turn.session;
      const result = turn.result as WaitResult;
      const session = names.find((name) => name.id === id) ?? { id, name: null };
      // None of them has ended a wait that took too long.
      const meant = result.reason === "deadline" ? names : [session];
      if (isOn(args, "json")) printJson({ ...session, ...result });
      else print(`${meant.map(describeName).join(", ")}: ${describeResult(result)}`);
      return codeFor(result, wish);
    }),
};

interface Wish {
  readonly until: string | undefined;
  readonly quietMs: number | undefined;
  readonly exit: boolean;
  readonly input: boolean;
}

function wishOf(flags: Flags): Wish {
  const until = textOf(flags, "until");
  const quietMs = wholeOf(flags, "quiet", { min: 1, max: LONGEST_QUIET_MS });
  const [exit, input] = [isOn(flags, "exit"), isOn(flags, "input")];
  const isOpen = until === undefined && quietMs === undefined && !exit && !input;
  return { until, quietMs, exit: exit || isOpen, input: input || isOpen };
}

async function chosen(
  sessions: SessionService,
  flags: Flags,
  keys: readonly string[],
): Promise<readonly SessionName[]> {
  if (isOn(flags, "any") === keys.length > 0) {
    throw new LimpetError("BAD_OPTION", "Either ids or --any say what to wait for, and not both. Give one of them.");
  }
  if (keys.length > 0) {
    const found = await Promise.all(keys.map((key) => sessions.find(key)));
    return found.map(({ id, name }) => ({ id, name }));
  }
  const running = await sessions.running();
  if (running.length > 0) return running;
  throw new LimpetError(
    "SESSION_NOT_FOUND",
    "No session runs that could be waited for. Start one with: limpet start CMD",
  );
}

/** A program that ends ends every wait; that is good news only for those who waited for it. */
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
      return `its command finished with code ${result.exitCode ?? "unknown"} in ${result.cwd}`;
    case "input":
      return `waits for input: ${result.waitingFor}`;
    case "listening":
      return `listens on ${result.address} port ${result.port}`;
    case "quiet":
      return `quiet for ${Math.round(result.silentMs)} ms`;
    case "deadline":
      return "still running, and nothing of that has happened";
  }
}
