import { commandLines } from "../../record/command-lines.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import { Cleaner } from "../../text/clean/cleaner.ts";
import { visible } from "../print/visible.ts";

/** Some ten thousand lines. `limpet logs` has all of them. */
const READ_BYTES = 2 * 1024 * 1024;

/** The latest output of a session as lines to read, with the commands of agents. */
export async function readLines(sessions: SessionService, key: SessionKey): Promise<readonly string[]> {
  const { outputBytes, size } = await sessions.find(key);
  const parts: string[] = [];
  let cleaner = new Cleaner(size ?? {});
  const finish = () => {
    cleaner.end();
    const { text } = cleaner.take();
    parts.push(text === "" || text.endsWith("\n") ? text : `${text}\n`);
    cleaner = new Cleaner(size ?? {});
  };
  const from = Math.max(0, outputBytes - READ_BYTES);
  for await (const part of sessions.transcript(key, { from, isLive: false })) {
    if (part.kind === "output") cleaner.push(part.page.bytes);
    else if (part.kind !== "size") {
      finish();
      parts.push(`${commandLines(part).join("\n")}\n`);
    }
  }
  finish();
  return visible(parts.join(""))
    .trimEnd()
    .split("\n")
    .map((line) => line.replaceAll("\t", "        "));
}
