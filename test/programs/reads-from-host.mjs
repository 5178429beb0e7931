/**
 * Reads what is new of a session, in a host, as one caller: prints each reading as a line, then confirms it. Killed at any
 * moment, it is started again with the cursor up to which its lines have arrived.
 * `node reads-from-host.mjs DIRECTORY SESSION [CURSOR]`
 */
import { writeSync } from "node:fs";
import { connectHost } from "../../dist/index.js";

const [stateDirectory, id, cursor] = process.argv.slice(2);
const client = connectHost({ stateDirectory });
const caller = "reader";
if (cursor !== undefined) await client.confirm(id, { caller, cursor: Number(cursor) });
for (;;) {
  const { yielded } = await client.wait({ keys: [id], caller, until: "[\\s\\S]", onInput: false });
  const { from, next, text, droppedBytes } = await client.unread(id, { caller, raw: true, maxTokens: 1_000_000 });
  if (next > from) print({ from, next, text, droppedBytes });
  await client.confirm(id, { caller, cursor: next });
  if (yielded.reason === "exited") {
    print({ isOver: true });
    break;
  }
}
client.disconnect();

/** A pipe takes as much as it has room for. */
function print(value) {
  const line = Buffer.from(`${JSON.stringify(value)}\n`);
  for (let at = 0; at < line.length; ) {
    try {
      at += writeSync(1, line, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}
