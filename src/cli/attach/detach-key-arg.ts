import type { ArgSpecs, Args } from "../args/command.ts";
import { textOf } from "../args/read-args.ts";
import { detachKeySetting } from "../settings/settings.ts";
import { DEFAULT_DETACH_KEY, type DetachKey, detachKeyOf } from "./detach-key.ts";

export const detachKeyArg: ArgSpecs = {
  "detach-key": {
    type: "string",
    hint: "KEY",
    description: "The key before d to detach. Default: detachKey in config.json, else Ctrl+]",
  },
};

/** The detach key: from the flag, else from config.json. */
export function detachKeyIn(args: Args): DetachKey {
  const text = textOf(args, "detach-key") ?? detachKeySetting();
  return text === undefined ? DEFAULT_DETACH_KEY : detachKeyOf(text);
}
