import { z } from "zod";
import { keyOf } from "../service/listing/session-key.ts";
import { wordOrQuote } from "../text/clean/quote-line.ts";
import { runningLines } from "./answer/describe-result.ts";
import { fields, listOf, oneOf, text as string, whole } from "./answer/output-schema.ts";
import { sessionKey } from "./args/params.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

export const closeSession: Tool = defineTool({
  name: "close_session",
  description: "End a session with everything it started, and forget its output.",
  annotations: {
    title: "Close a session",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  params: () => ({ session_id: sessionKey(), force: z.boolean().default(false).describe("kill at once") }),
  outputSchema: fields({
    session_id: whole,
    ended: listOf(fields({ pid: whole, name: string, signal: oneOf("SIGHUP", "SIGTERM", "SIGKILL") })),
    by: oneOf("cgroup", "search", "inside", "container", "unknown"),
    left: listOf(fields({ pid: whole, name: string })),
  }),
  async run({ session_id, force }, { sessions, caller, tool }) {
    const closed = await sessions.close(session_id, { force, caller, tool });
    const { report, running, sandboxNotes } = closed;
    const key = keyOf(closed);
    const ended = report.ended.map(({ pid, name, signal }) => `${wordOrQuote(name)} (${pid}, ${signal})`).join(", ");
    const lines = [
      `Session ${key} closed. ${report.ended.length === 0 ? "Nothing was running." : `Ended: ${ended}`}`,
      ...(report.left.length > 0
        ? [`Could not end: ${report.left.map(({ pid, name }) => `${wordOrQuote(name)} (${pid})`).join(", ")}`]
        : []),
      ...(report.by === "unknown" ? ["Processes may be left: no script could look for them in the container."] : []),
      ...sandboxNotes,
      ...runningLines(running),
    ];
    return {
      text: lines.join("\n"),
      structured: { session_id: key, ended: report.ended, by: report.by, left: report.left },
    };
  },
});
