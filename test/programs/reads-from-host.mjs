/**
 * Reads what is new of a session, in a host, as one caller: prints each reading as a line, then acknowledges it. Killed at any
 * moment, it is started again with the receipt of the last line that has arrived.
 * `node reads-from-host.mjs DIRECTORY SESSION [RECEIPT]`
 */
import { writeSync } from "node:fs";
import { connectHost } from "../../dist/entries/service.js";

const [stateDirectory, id, last] = process.argv.slice(2);
const client = connectHost({ stateDirectory });
const caller = "reader";
if (last !== undefined) client.acknowledge({ caller, receipt: JSON.parse(last) });
for (;;) {
  const { result, output, receipt } = await client.turn({
    caller,
    on: { kind: "session", key: Number(id) },
    wait: { kind: "output", until: "[\\s\\S]", onInput: false },
    read: { kind: "unread", raw: true, maxTokens: 1_000_000 },
  });
  const { from, next, text, droppedBytes } = output;
  if (next > from) print({ from, next, text, droppedBytes, receipt });
  client.acknowledge({ caller, receipt });
  if (result.reason === "exited") {
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
