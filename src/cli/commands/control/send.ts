import { isUtf8 } from "node:buffer";
import { MAX_INPUT_BYTES } from "../../../base/limits.ts";
import { LimpetError } from "../../../base/limpet-error.ts";
import { DEFAULT_MODES } from "../../../base/terminal-modes.ts";
import { encodeKey } from "../../../keys/encode-key.ts";
import { parseStroke, type Stroke } from "../../../keys/parse-stroke.ts";
import type { Command } from "../../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../../args/common-args.ts";
import { isOn, listOf, requiredText, textOf } from "../../args/read-args.ts";
import { printJson } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

/** `person`: may type into a session that is held. */
const AS_PERSON = { caller: "limpet send", by: "person" } as const;

export const send: Command = {
  name: "send",
  description: "Type into a session: text first, then keys by name.",
  args: {
    ...sessionArg,
    text: { type: "positional", isOptional: true, description: "What to type; - types stdin" },
    key: {
      type: "string",
      short: "k",
      hint: "KEY",
      isList: true,
      description: "Press a key, such as Enter, Up, Ctrl+C or Click(ROW,COL). Repeat it for several keys",
    },
    enter: { type: "boolean", short: "e", description: "Press Enter at the end" },
    paste: { type: "boolean", short: "p", description: "Send the text as a paste; line ends become Enter" },
    ...jsonArg(),
    ...atArg,
  },
  examples: [
    "limpet send 7 'print(2 + 2)' --enter",
    "limpet send dev --key Ctrl+C",
    "limpet send 7 -k Esc -k : -k w -e",
    'limpet send 7 --paste "$(cat notes.txt)"',
    "limpet send 7 - < script.py",
  ],
  run: (args) =>
    withHost(args, async (sessions) => {
      const names = [...listOf(args, "key"), ...(isOn(args, "enter") ? ["Enter"] : [])];
      const text = textOf(args, "text");
      if (text === undefined && names.length === 0)
        throw new LimpetError("BAD_OPTION", "There is nothing to type. Give text or --key.");
      const keys = names.map(keyStroke);
      const { id } = await sessions.find(requiredText(args, "id"));
      const given = text === "-" ? await readStdin() : Buffer.from(text ?? "");
      const kind = isOn(args, "paste") ? "paste" : "text";
      // In one request, so that no other input comes in between, and nothing is typed if one key is wrong.
      if (kind === "text" && keys.length === 0) await sessions.write(id, given, AS_PERSON);
      else await sessions.write(id, [{ kind, text: decode(given) }, ...keys], AS_PERSON);
      if (isOn(args, "json")) printJson({ id, bytes: given.length, keys: names });
    }),
};

/** Refuses an unknown key before a host is contacted. */
function keyStroke(name: string): Stroke {
  const stroke = parseStroke(name);
  if (stroke.kind === "key") encodeKey(stroke.name, DEFAULT_MODES);
  return stroke;
}

function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw new LimpetError(
    "BAD_OPTION",
    "stdin is not UTF-8 text. Send it without --paste and --key to pass the bytes through unchanged.",
  );
}

/** Refuses more than a session takes at once, before all of it is read. */
async function readStdin(): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of process.stdin) {
    parts.push(part as Buffer);
    bytes += (part as Buffer).length;
    if (bytes > MAX_INPUT_BYTES) {
      throw new LimpetError("INPUT_BACKLOG", `stdin has more than ${MAX_INPUT_BYTES} bytes. Send less at a time.`);
    }
  }
  return Buffer.concat(parts);
}
