import { keyOf } from "../service/listing/session-key.ts";
import { runningLines } from "./answer/describe-result.ts";
import { fields, whole } from "./answer/output-schema.ts";
import { columns, rows, sessionKey } from "./args/params.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

export const resizeSession: Tool = defineTool({
  name: "resize_session",
  description: "Change the size of a session's terminal.",
  annotations: {
    title: "Resize a session",
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  params: () => ({ session_id: sessionKey(), cols: columns(), rows: rows() }),
  outputSchema: fields({ session_id: whole, cols: whole, rows: whole }),
  async run({ session_id, cols, rows: lines }, { sessions, caller }) {
    const resized = await sessions.resize(session_id, { cols, rows: lines }, { caller });
    const key = keyOf(resized);
    const others = resized.running.filter((other) => keyOf(other) !== key);
    return {
      text: [`Session ${key} is now ${cols} columns by ${lines} rows.`, ...runningLines(others)].join("\n"),
      structured: { session_id: key, cols, rows: lines },
    };
  },
});
