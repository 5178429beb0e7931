import { LimpetError } from "../../../base/limpet-error.ts";
import { counted, getFile } from "../../../places/files/copy-file.ts";
import { requirePlacePath } from "../../../places/files/place-path.ts";
import type { Command } from "../../args/command.ts";
import { jsonArg } from "../../args/common-args.ts";
import { isOn, requiredText, textOf } from "../../args/read-args.ts";
import { print, printJson, writeBytes } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";
import { CopyProgress, describeCopied } from "./copy-progress.ts";

export const get: Command = {
  name: "get",
  description: "Copy a file from a place, with its permissions. Overwrites an existing file, as scp does.",
  args: {
    from: {
      type: "positional",
      hint: "PLACE:PATH",
      description: "The file there, relative to the home directory",
    },
    file: {
      type: "positional",
      isOptional: true,
      description: "A file or a directory here; - is stdout. Default: the working directory",
    },
    ...jsonArg(),
  },
  examples: [
    "limpet get build:notes.txt",
    "limpet get ssh:me@build:/var/log/app.log logs/",
    "limpet get db:dump.sql - | less",
  ],
  run: (args) => {
    const { place, path } = requirePlacePath(requiredText(args, "from"));
    const to = textOf(args, "file") ?? ".";
    return withHost({ at: place }, async ({ files }) => {
      const progress = new CopyProgress();
      if (to === "-") {
        requirePipe();
        const { bytes, content } = await files.fetch(path);
        await progress.during(async (onProgress) => {
          // As with `| head`.
          for await (const piece of counted(content, bytes, onProgress)) if (!(await writeBytes(piece))) break;
        });
        return;
      }
      const copied = await progress.during((onProgress) => getFile(files, { from: path, to }, { onProgress }));
      if (isOn(args, "json")) printJson({ place, ...copied });
      else print(describeCopied(copied));
    });
  },
};

/** Control sequences in the file would act on the terminal. */
function requirePipe(): void {
  if (process.stdout.isTTY)
    throw new LimpetError("BAD_OPTION", "- writes to stdout, which is a terminal. Redirect it to a pipe or a file.");
}
