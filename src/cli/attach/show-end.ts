import { describeExit } from "../../base/exit.ts";
import type { SessionName } from "../../service/listing/session-name.ts";
import { describeName } from "../print/describe-session.ts";
import { printError, writeDrawing } from "../print/print.ts";
import type { AttachEnd } from "./attach-to.ts";

/** Leaves in the terminal what the program left on its screen, and says how the attachment ended. */
export async function showEnd(session: SessionName, end: AttachEnd): Promise<void> {
  const who = describeName(session);
  if (end.kind === "detached") return printError(`[detached from ${who}, still running]`);
  if (end.lastLines.length > 0) await writeDrawing(`${end.lastLines.join("\n")}\n`);
  printError(`[${who} ${describeExit(end.exit)}]`);
}
