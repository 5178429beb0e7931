import { randomUUID } from "node:crypto";
import { extname } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { renderPng } from "../../screen/picture/render-png.ts";
import { pictureSize, renderSvg } from "../../screen/picture/render-svg.ts";
import type { Snapshot } from "../../screen/snapshot.ts";
import { readScreen } from "../../service/simple-turns.ts";
import type { Command } from "../command.ts";
import { type Flags, isOn, textOf } from "../flags.ts";
import { describePicture, type Picture, pictureArgs, savePicture, themeOf } from "../picture-file.ts";
import { print, printJson } from "../print.ts";
import { jsonArg, sessionArg } from "../session-arg.ts";
import { withHost } from "../with-host.ts";

export const screenshot: Command = {
  meta: { name: "screenshot", description: "Write a picture of a session's screen, as PNG or SVG." },
  args: {
    ...sessionArg,
    output: { type: "string", alias: "o", valueHint: "FILE", required: true, description: "A name with .png or .svg" },
    scale: { type: "string", alias: "s", valueHint: "N", description: "PNG: so many times as large. Default: 1" },
    ...pictureArgs,
    ...jsonArg(),
  },
  examples: [
    "limpet screenshot 7 -o screen.png",
    "limpet screenshot dev -o screen.png --scale 2 --theme light",
    "limpet screenshot 7 -o screen.svg --force",
  ],
  run: ({ args }) => {
    const draw = painterOf(args);
    return withHost(async (sessions) => {
      const caller = `limpet screenshot ${randomUUID()}`;
      const { id, snapshot } = await readScreen(sessions, String(args["id"]), { caller, cells: true });
      const saved = await savePicture(textOf(args, "output") ?? "", await draw(snapshot), args);
      if (isOn(args, "json")) printJson({ id, ...saved });
      else print(`${describePicture(saved)}.`);
    });
  },
};

/** Checks all flags before anything is asked for. */
function painterOf(flags: Flags): (snapshot: Snapshot) => Promise<Picture> {
  const file = textOf(flags, "output") ?? "";
  const theme = themeOf(flags);
  const scale = scaleOf(flags);
  switch (extname(file).toLowerCase()) {
    case ".png":
      return async (snapshot) => sized(Buffer.from(await renderPng(snapshot, { theme, scale: scale ?? 1 })));
    case ".svg":
      if (scale !== undefined)
        throw new LimpetError("BAD_OPTION", "--scale is for PNG: an SVG has no pixels. Leave it out.");
      return async (snapshot) => ({
        bytes: Buffer.from(renderSvg(snapshot, { theme })),
        ...pictureSize(snapshot, { theme }),
      });
    default:
      throw new LimpetError(
        "BAD_OPTION",
        `--output is ${JSON.stringify(file)}. Give a name that ends in .png or .svg.`,
      );
  }
}

/** The file itself says how large it is, behind its signature. */
function sized(png: Buffer): Picture {
  return { bytes: png, width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

/** Its range is the renderer's to check. */
function scaleOf(flags: Flags): number | undefined {
  const text = textOf(flags, "scale");
  if (text === undefined) return undefined;
  const scale = Number(text);
  if (text.trim() !== "" && scale > 0) return scale;
  throw new LimpetError("BAD_OPTION", `--scale is ${JSON.stringify(text)}. Give a number above 0, such as 2.`);
}
