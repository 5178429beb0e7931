import { extname } from "node:path";
import { LimpetError } from "../../../base/limpet-error.ts";
import { renderPng } from "../../../screen/picture/render-png.ts";
import { pictureSize, renderSvg } from "../../../screen/picture/render-svg.ts";
import type { Snapshot } from "../../../screen/snapshot.ts";
import type { Args, Command } from "../../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../../args/common-args.ts";
import { isOn, requiredText, textOf } from "../../args/read-args.ts";
import {
  describePicture,
  type Picture,
  pictureArgs,
  requireStdout,
  STDOUT,
  savePicture,
  themeOf,
} from "../../pictures/save-picture.ts";
import { print, printJson, writeBytes } from "../../print/print.ts";
import { readPersonScreen } from "../../view/person-screen.ts";
import { withHost } from "../../with-host.ts";

export const screenshot: Command = {
  name: "screenshot",
  description: "Save a session's screen as a PNG or SVG picture.",
  args: {
    ...sessionArg,
    output: {
      type: "string",
      short: "o",
      hint: "FILE",
      isRequired: true,
      description: "The file to write, ending in .png or .svg; - is stdout",
    },
    format: { type: "string", hint: "png|svg", description: "For -o -: the format. Default: png" },
    scale: { type: "string", short: "s", hint: "N", description: "PNG: enlarge by this factor. Default: 1" },
    ...pictureArgs,
    ...jsonArg(),
    ...atArg,
  },
  examples: [
    "limpet screenshot 7 -o screen.png",
    "limpet screenshot dev -o screen.png --scale 2 --theme light",
    "limpet screenshot 7 -o screen.svg --force",
    "limpet screenshot 7 -o - | display",
  ],
  run: (args) => {
    const draw = painterOf(args);
    return withHost(args, async (sessions) => {
      const { id } = await sessions.find(requiredText(args, "id"));
      const snapshot = await readPersonScreen(sessions, id);
      const picture = await draw(snapshot);
      const file = requiredText(args, "output");
      if (file === STDOUT) return void (await writeBytes(picture.bytes));
      const saved = await savePicture(file, picture, args);
      if (isOn(args, "json")) printJson({ id, ...saved });
      else print(`${describePicture(saved)}.`);
    });
  },
};

/** Checks all flags before it contacts a host. */
function painterOf(flags: Args): (snapshot: Snapshot) => Promise<Picture> {
  const file = textOf(flags, "output") ?? "";
  const theme = themeOf(flags);
  const scale = scaleOf(flags);
  if (file === STDOUT) requireStdout(flags);
  switch (file === STDOUT ? `.${textOf(flags, "format") ?? "png"}` : extname(file).toLowerCase()) {
    case ".png":
      return async (snapshot) => sized(Buffer.from(await renderPng(snapshot, { theme, scale: scale ?? 1 })));
    case ".svg":
      if (scale !== undefined)
        throw new LimpetError("BAD_OPTION", "--scale works only for PNG: an SVG has no pixels. Leave it out.");
      return async (snapshot) => ({
        bytes: Buffer.from(renderSvg(snapshot, { theme })),
        ...pictureSize(snapshot, { theme }),
      });
    default:
      throw new LimpetError(
        "BAD_OPTION",
        file === STDOUT
          ? `--format is ${JSON.stringify(textOf(flags, "format"))}. Give png or svg.`
          : `--output is ${JSON.stringify(file)}. Give a name that ends in .png or .svg.`,
      );
  }
}

/** The PNG header has the size, after the signature. */
function sized(png: Buffer): Picture {
  return { bytes: png, width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

/** The renderer checks the range. */
function scaleOf(flags: Args): number | undefined {
  const text = textOf(flags, "scale");
  if (text === undefined) return undefined;
  const scale = Number(text);
  if (text.trim() !== "" && scale > 0) return scale;
  throw new LimpetError("BAD_OPTION", `--scale is ${JSON.stringify(text)}. Give a number above 0, such as 2.`);
}
