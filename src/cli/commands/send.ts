import { ShellError } from "../../base/errors.ts";
import { encodeKey } from "../../screen/keys.ts";
import { DEFAULT_MODES } from "../../screen/modes.ts";
import { encodePaste } from "../../screen/paste.ts";
import type { Command } from "../command.ts";
import { withHost } from "../connect.ts";
import { isOn } from "../flags.ts";
import { printJson } from "../print.ts";
import { readInput } from "../read-input.ts";
import type { Words } from "../words.ts";

export const send: Command = {
  meta: { name: "send", description: "Type into a session: text as it is, then keys by their names." },
  args: {
    id: { type: "positional", required: true, description: "The id or the name of the session" },
    text: { type: "positional", required: false, description: "What to type; - types what comes on stdin" },
    key: {
      type: "string",
      alias: "k",
      valueHint: "KEY",
      description: "A key after the text, such as Enter, Up or Ctrl+C. May be repeated",
    },
    enter: { type: "boolean", alias: "e", description: "Press Enter at the end" },
    paste: { type: "boolean", alias: "p", description: "As a paste, not key by key: line ends become Enter" },
    json: { type: "boolean", description: "For a script" },
  },
  examples: [
    "limpet send 7 'print(2 + 2)' --enter",
    "limpet send dev --key Ctrl+C",
    "limpet send 7 -k Esc -k : -k w -e",
    "limpet send 7 - < script.py",
  ],
  run: ({ args, data }) =>
    withHost(async (sessions) => {
      const { flags, others } = data as Words;
      const keys = flags.flatMap(({ name, value }) => (name === "key" && value !== undefined ? [value] : []));
      if (isOn(args, "enter")) keys.push("Enter");
      const [key = "", text, extra] = others;
      if (extra !== undefined)
        throw new ShellError("BAD_OPTION", `${JSON.stringify(extra)} is a word too many. Put the text into quotes.`);
      if (text === undefined && keys.length === 0)
        throw new ShellError("BAD_OPTION", "Nothing is given to type. Give a text, or --key.");
      // Encoded before anything is typed: a key that does not exist must not leave half of it behind.
      const encoded = keys.map((name) => encodeKey(name, DEFAULT_MODES)).join("");
      const { id } = await sessions.identify(key);
      const given = text === "-" ? await readInput() : Buffer.from(text ?? "");
      const typed = isOn(args, "paste") ? Buffer.from(encodePaste(given.toString(), DEFAULT_MODES)) : given;
      const bytes = Buffer.concat([typed, Buffer.from(encoded)]);
      await sessions.write(id, bytes, { caller: "limpet send", by: "person" });
      if (isOn(args, "json")) printJson({ id, bytes: bytes.length });
    }),
};
