import { z } from "zod";
import { MAX_SCROLLBACK_LINES } from "../base/limits.ts";
import { diffSnapshots, diffText } from "../screen/diff-snapshots.ts";
import type { Snapshot } from "../screen/snapshot.ts";
import { keyOf } from "../service/listing/session-key.ts";
import type { SessionName } from "../service/listing/session-name.ts";
import type { ScreenView } from "../service/turn/turn-answer.ts";
import type { TurnWait } from "../service/turn/turn-request.ts";
import { quoteLine } from "../text/clean/quote-line.ts";
import { READ_ONLY } from "./annotations.ts";
import { answerText } from "./answer/answer-text.ts";
import { describeSession, runningLines } from "./answer/describe-result.ts";
import { describeScreen } from "./answer/describe-screen.ts";
import { describeSurroundings } from "./answer/describe-surroundings.ts";
import { fields, flag, oneOf, text, textOrNull, whole } from "./answer/output-schema.ts";
import { showShortTag } from "./answer/tags.ts";
import { takeTurn } from "./answer/take-turn.ts";
import { integer, requirePattern, sessionKey, waitMs } from "./args/params.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool, ToolImage } from "./tool.ts";

const MAX_STABLE_MS = 60_000;
const TITLE_CHARS = 200;

export const readScreen: Tool = defineTool({
  name: "read_screen",
  description:
    "See a session's screen: for editors, menus, pagers and other full-screen programs. Can wait first until it shows a regex " +
    "(until) or stays unchanged (stable_ms).",
  annotations: { title: "See a session's screen", ...READ_ONLY },
  params: () => ({
    session_id: sessionKey(),
    format: z.enum(["text", "svg", "png"]).default("text"),
    scrollback: integer(0, MAX_SCROLLBACK_LINES).default(0),
    changes: z.boolean().default(false).describe("only changes since your last read"),
    until: z.string().optional(),
    stable_ms: integer(1, MAX_STABLE_MS).optional(),
    deadline_ms: waitMs(10_000),
  }),
  outputSchema: fields({
    session_id: whole,
    name: textOrNull,
    format: oneOf("text", "svg", "png"),
    screen: text,
    cols: whole,
    rows: whole,
    caret: fields({ row: whole, col: whole, visible: flag }),
    title: text,
    full_screen: flag,
    yielded: { type: ["string", "null"], enum: ["matched", "stable", "exited", "deadline", null] },
    cursor: whole,
    missed_bytes: whole,
  }),
  async run(args, context) {
    if (args.until !== undefined) await requirePattern(args.until);
    const turn = await takeTurn(context, {
      on: { kind: "session", key: args.session_id },
      wait: waitOf(args),
      read: { kind: "screen", scrollback: args.scrollback, cells: args.format !== "text" },
    });
    const { snapshot, before, reason } = turn.screen as ScreenView;
    const surroundings = describeSurroundings(turn);
    const isDiff = args.changes && before !== null && args.format === "text";
    const { text: screen, caret } = isDiff
      ? { text: diffText(diffSnapshots(before, snapshot)) || "nothing", caret: "" }
      : describeScreen(snapshot);
    const around = [...(caret === "" ? [] : [caret]), ...surroundings.notes, ...runningLines(surroundings.others)];
    const header = [...headLines(turn.session, snapshot, turn.isCutShort ? "cut-short" : reason), ...around];
    const label = isDiff ? "Changed since your last read" : "Screen";
    const { tag } = showShortTag(undefined, screen);
    return {
      text:
        args.format === "text"
          ? answerText(header, { label, text: screen, tag })
          : [...header, "The screen is in the picture."].join("\n"),
      structured: {
        ...onTheWire(turn.session, snapshot, args.format),
        screen: args.format === "text" ? screen : "",
        yielded: reason,
      },
      image: await pictureOf(snapshot, args.format),
    };
  },
});

interface WaitArgs {
  readonly until?: string | undefined;
  readonly stable_ms?: number | undefined;
  readonly deadline_ms: number;
}

function waitOf({ until, stable_ms: stableMs, deadline_ms: deadlineMs }: WaitArgs): TurnWait | undefined {
  if (until === undefined && stableMs === undefined) return undefined;
  return {
    kind: "screen",
    deadlineMs,
    ...(until === undefined ? {} : { until }),
    ...(stableMs === undefined ? {} : { stableMs }),
  };
}

function headLines(session: SessionName, snapshot: Snapshot, reason: string | null): string[] {
  const { size, title, isAlternate, missedBytes } = snapshot;
  const use = isAlternate ? ", used by a full-screen program" : "";
  return [
    `Screen of session ID ${describeSession(session)}, ${size.cols}x${size.rows}${use}`,
    ...(title === "" ? [] : [`Title: ${quoteLine(title, { maxChars: TITLE_CHARS })}`]),
    ...(reason === "deadline" ? ["Deadline: what you waited for did not appear"] : []),
    ...(reason === "cut-short"
      ? ["Still waiting: this client limits how long a call may take; continue with read_screen"]
      : []),
    ...(reason === "exited" ? ["The program has ended"] : []),
    ...(missedBytes > 0 ? [`Incomplete: ${missedBytes} bytes of output were dropped`] : []),
  ];
}

function onTheWire(session: SessionName, snapshot: Snapshot, format: string) {
  const { size, caret, title, isAlternate, cursor, missedBytes } = snapshot;
  return {
    session_id: keyOf(session),
    name: session.name,
    format,
    cols: size.cols,
    rows: size.rows,
    caret: { row: caret.row + 1, col: caret.col + 1, visible: caret.isVisible },
    title,
    full_screen: isAlternate,
    cursor,
    missed_bytes: missedBytes,
  };
}

/** Loads the renderer on first use, because few models ask for pictures. */
async function pictureOf(snapshot: Snapshot, format: "text" | "svg" | "png"): Promise<ToolImage | undefined> {
  switch (format) {
    case "text":
      return undefined;
    case "svg": {
      const { renderSvg } = await import("../screen/picture/render-svg.ts");
      return { mediaType: "image/svg+xml", base64: Buffer.from(renderSvg(snapshot)).toString("base64") };
    }
    case "png": {
      const { renderPng } = await import("../screen/picture/render-png.ts");
      return { mediaType: "image/png", base64: Buffer.from(await renderPng(snapshot)).toString("base64") };
    }
  }
}
