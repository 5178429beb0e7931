/** Where sessions live in this process, their output beyond 1 MiB is kept on disk until they are closed. */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { Toolkit } from "../../src/adapters/toolkit.ts";

const ROWS = 200_000;
/** Rows of 9 bytes as text: 1.8 MB, of which memory holds a part. */
const ROW_BYTES = 9;
const cmd = `seq -f 'r%07.0f' 1 ${ROWS}`;

/** Of this process: other tests have theirs. */
const journals = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`limpet-journals-${process.pid}-`));

test("the count of tokens, the marker and the pages are exact", async () => {
  const toolkit = new Toolkit();
  try {
    const args = { cmd, login: false, shell: "/bin/sh", yield_time_ms: 60_000, max_output_tokens: 1_000, fold: false };
    const { text, structured } = await toolkit.call("exec_command", args);
    const middle = await toolkit.call("read_output", {
      session_id: structured["session_id"],
      from: 100_000 * (ROW_BYTES + 1),
      max_output_tokens: 50,
    });

    expect(structured).toMatchObject({ exit_code: 0, original_token_count: (ROWS * ROW_BYTES) / 4, dropped_bytes: 0 });
    expect(text).toMatch(/…449\d\d\d tokens truncated…/);
    expect(String(middle.structured["output"]).startsWith("r0100001\nr0100002\n")).toBe(true);
    expect(journals()).toHaveLength(1);
  } finally {
    await toolkit.close();
  }
  expect(journals()).toEqual([]);
});
