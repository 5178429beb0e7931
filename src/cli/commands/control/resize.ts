import { MAX_COLS, MAX_ROWS } from "../../../base/limits.ts";
import { LimpetError } from "../../../base/limpet-error.ts";
import type { TerminalSize } from "../../../base/terminal-size.ts";
import type { Command } from "../../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../../args/common-args.ts";
import { isOn, requiredText } from "../../args/read-args.ts";
import { describeName } from "../../print/describe-session.ts";
import { print, printJson } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const resize: Command = {
  name: "resize",
  description: "Change the size of a session's terminal.",
  args: {
    ...sessionArg,
    size: { type: "positional", hint: "COLSxROWS", description: "The new size, such as 120x40" },
    ...jsonArg(),
    ...atArg,
  },
  examples: ["limpet resize 7 120x40"],
  run: (args) => {
    const size = sizeOf(requiredText(args, "size"));
    return withHost(args, async (sessions) => {
      const session = await sessions.find(requiredText(args, "id"));
      await sessions.resize(session.id, size);
      if (isOn(args, "json")) printJson({ id: session.id, size });
      else print(`${describeName(session)} has ${size.cols} columns and ${size.rows} rows.`);
    });
  },
};

function sizeOf(text: string): TerminalSize {
  const [, cols, rows] = /^(\d{1,3})x(\d{1,3})$/.exec(text) ?? [];
  const size = { cols: Number(cols), rows: Number(rows) };
  if (size.cols >= 1 && size.cols <= MAX_COLS && size.rows >= 1 && size.rows <= MAX_ROWS) return size;
  throw new LimpetError(
    "BAD_OPTION",
    `The size is ${JSON.stringify(text)}. Give COLSxROWS, each from 1 to ${MAX_COLS}, such as 120x40.`,
  );
}
