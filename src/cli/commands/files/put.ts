import { putFile } from "../../../places/files/copy-file.ts";
import { requirePlacePath } from "../../../places/files/place-path.ts";
import type { Command } from "../../args/command.ts";
import { jsonArg } from "../../args/common-args.ts";
import { isOn, requiredText } from "../../args/read-args.ts";
import { print, printJson } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";
import { CopyProgress, describeCopied } from "./copy-progress.ts";

export const put: Command = {
  name: "put",
  description: "Copy a file to a place, with its permissions. Overwrites an existing file, as scp does.",
  args: {
    file: { type: "positional", description: "The file here; - is stdin" },
    to: {
      type: "positional",
      hint: "PLACE:PATH",
      description: "Where to: a file or a directory there, relative to the home directory",
    },
    ...jsonArg(),
  },
  examples: [
    "limpet put notes.txt build:",
    "limpet put app.tar.gz build:/srv/app.tar.gz",
    "tar c src | limpet put - ssh:me@build:src.tar",
  ],
  run: (args) => {
    const { place, path } = requirePlacePath(requiredText(args, "to"));
    const file = requiredText(args, "file");
    return withHost({ at: place }, async ({ files }) => {
      const progress = new CopyProgress();
      const from = file === "-" ? process.stdin : file;
      const copied = await progress.during((onProgress) => putFile(files, { from, to: path }, { onProgress }));
      if (isOn(args, "json")) printJson({ place, ...copied });
      else print(describeCopied({ ...copied, path: `${place}:${copied.path}` }));
    });
  },
};
