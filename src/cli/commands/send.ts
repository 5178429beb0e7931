import { isUtf8 } from "node:buffer";
import { LimpetError } from "../../base/limpet-error.ts";
import { DEFAULT_MODES } from "../../base/terminal-modes.ts";
import { encodeKey } from "../../keys/encode-key.ts";
import { parseStroke, type Stroke } from "../../keys/encode-strokes.ts";
import type { Command } from "../command.ts";
import { isOn } from "../flags.ts";
import { printJson } from "../print.ts";
import { readInput } from "../read-input.ts";
import { jsonArg, sessionArg } from "../session-arg.ts";
import { withHost } from "../with-host.ts";
import type { Words } from "../words.ts";

/** A person may type into a session that is held. */
const AS_PERSON = { caller: "limpet send", by: "person" } as const;

export const send: Command = {
  meta: { name: "send", description: "Type into a session: text as it is, then keys by their names." },
  args: {
    ...sessionArg,
    text: { type: "positional", required: false, description: "What to type; - types what comes on stdin" },
    key: {
      type: "string",
      alias: "k",
      valueHint: "KEY",
      description:
        "A key after the text, such as Enter, Up or Ctrl+C; or Click(ROW,COL), WheelUp(ROW,COL). May be repeated",
    },
    enter: { type: "boolean", alias: "e", description: "Press Enter at the end" },
    paste: { type: "boolean", alias: "p", description: "The text as a paste, not key by key: line ends become Enter" },
    ...jsonArg(),
  },
  takesWords: true,
  examples: [
    "limpet send 7 'print(2 + 2)' --enter",
    "limpet send dev --key Ctrl+C",
    "limpet send 7 -k Esc -k : -k w -e",
    'limpet send 7 --paste "$(cat notes.txt)"',
    "limpet send 7 - < script.py",
  ],
  run: ({ args, data }) =>
    withHost(async (sessions) => {
      const { flags, others } = data as Words;
      const names = flags.flatMap(({ name, value }) => (name === "key" && value !== undefined ? [value] : []));
      if (isOn(args, "enter")) names.push("Enter");
      const [key = "", text, extra] = others;
      if (extra !== undefined)
        throw new LimpetError("BAD_OPTION", `${JSON.stringify(extra)} is a word too many. Put the text into quotes.`);
      if (text === undefined && names.length === 0)
        throw new LimpetError("BAD_OPTION", "Nothing is given to type. Give a text, or --key.");
      const keys = names.map(keyStroke);
      const { id } = await sessions.find(key);
      const given = text === "-" ? await readInput() : Buffer.from(text ?? "");
      const kind = isOn(args, "paste") ? "paste" : "text";
      // All in one go, so that nobody's keys come between, and nothing is typed where one of them cannot be.
      if (kind === "text" && keys.length === 0) await sessions.write(id, given, AS_PERSON);
      else await sessions.write(id, [{ kind, text: textOf(given) }, ...keys], AS_PERSON);
      if (isOn(args, "json")) printJson({ id, bytes: given.length, keys: names });
    }),
};

/** Refuses a key that does not exist before anybody is asked for a session. */
function keyStroke(name: string): Stroke {
  const stroke = parseStroke(name);
  if (stroke.kind === "key") encodeKey(stroke.name, DEFAULT_MODES);
  return stroke;
}

function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw new LimpetError(
    "BAD_OPTION",
    "What comes on stdin is not UTF-8. Send it without --paste and keys, which passes on bytes as they are.",
  );
}
