import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { LimpetError } from "../../../base/limpet-error.ts";
import { keyOf } from "../../../service/listing/session-key.ts";
import { startSession } from "../../../service/turn/simple-turns.ts";
import type { Command } from "../../args/command.ts";
import { atArg } from "../../args/common-args.ts";
import { programArgs, programOf } from "../../args/program-args.ts";
import { isOn, textOf } from "../../args/read-args.ts";
import { sizeForSession } from "../../attach/user-terminal.ts";
import { exitCodeOfProgram, OK } from "../../exit-codes.ts";
import { describeBytes, describeName } from "../../print/describe-session.ts";
import { printBelow } from "../../print/print.ts";
import { passThrough } from "../../run/pass-through.ts";
import { PERSON, withStarts } from "../../with-host.ts";

export const rec: Command = {
  name: "rec",
  description: "Run a program in this terminal and record it to an asciicast file. Exits with the program's exit code.",
  args: {
    ...programArgs,
    output: { type: "string", short: "o", hint: "FILE", description: "The file to write. Default: CMD-TIME.cast" },
    input: { type: "boolean", description: "Also record what is typed, except hidden input such as passwords" },
    ...atArg,
  },
  examples: ["limpet rec bash", "limpet rec -o demo.cast npm test", "limpet replay demo.cast"],
  run: (args) =>
    withStarts(args, async (sessions) => {
      const request = programOf(args);
      const given = textOf(args, "output") ?? defaultName(request.command ?? "", new Date());
      // At a place, the host there writes the file, and refuses to overwrite one.
      const file = sessions.isFar ? given : resolve(given);
      if (!sessions.isFar && existsSync(file))
        throw new LimpetError("BAD_OPTION", `${file} already exists. Choose another name with -o.`);
      if (!process.stdin.isTTY || !process.stdout.isTTY) {
        throw new LimpetError(
          "NO_TERMINAL",
          "stdin or stdout is not a terminal. Run this command in a terminal, or use limpet start and limpet record.",
        );
      }
      const start = { ...request, size: sizeForSession(), answerQueries: true };
      const session = await startSession(sessions, start, PERSON);
      const key = keyOf(session);
      try {
        await sessions.record(key, { file, input: isOn(args, "input") });
      } catch (error) {
        await sessions.close(key, { force: true });
        throw error;
      }
      const exit = await passThrough(sessions, key);
      if (!exit) {
        printBelow(`[detached; ${describeName(session)} keeps running and is recorded to ${file}]`);
        return OK;
      }
      const [state] = await sessions.stopRecording(key, { file });
      const size = state ? ` (${describeBytes(state.fileBytes)})` : "";
      const why = state?.kind === "failed" ? `The recording ended early: ${state.reason}. ` : "";
      const next = sessions.isFar
        ? `fetch it with: limpet get ${session.place}:${state?.file ?? file} ${basename(file)}`
        : `play it with: limpet replay ${basename(file)}`;
      printBelow(`[${why}recorded to ${file}${size}; ${next}]`);
      return exitCodeOfProgram(exit);
    }),
};

/** `npm-test-20260131-235959.cast` */
function defaultName(command: string, now: Date): string {
  const words = basename(command.split(/\s+/)[0] ?? "").replaceAll(/[^\w.-]+/g, "-") || "recording";
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
  return `${words}-${local.slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}.cast`;
}
