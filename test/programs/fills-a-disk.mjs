// Writes the journal of a session to a disk that refuses, and tells how that went.
// Arguments: the directory, how many bytes the program writes.
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openSession } from "../../dist/entries/session.js";

const [stateDirectory, total] = process.argv.slice(2);
const problems = [];
process.on("uncaughtException", (error) => problems.push(String(error)));

const session = await openSession({
  command: `head -c ${total} /dev/zero | tr '\\0' A; read line; head -c 1000 /dev/zero | tr '\\0' B`,
  shell: "/bin/sh",
  tty: false,
  stateDirectory,
});
while (session.endCursor < Number(total)) await new Promise((resolve) => setTimeout(resolve, 5));
// Reading what memory no longer has, and the disk not yet, waits for the disk.
await session.read({ from: Number(total) - 1_500_000 });
const health = session.journalHealth;
// Room again: what comes now is written on a clean border.
rmSync(join(stateDirectory, "ballast"), { force: true });
await session.write("go\n");
await session.ended;

let read = 0;
let dropped = 0;
const hash = createHash("md5");
for (let cursor = 0; cursor < session.endCursor; ) {
  const page = await session.read({ from: cursor });
  read += page.bytes.length;
  dropped += page.dropped;
  hash.update(page.bytes);
  cursor = page.next;
}
const tail = await session.readText({ from: session.endCursor - 1000 });
const exit = session.exit;
// A busy machine has not tried to write everything before.
const { lostBytes } = session.journalHealth;
await session.discard();
console.log(
  JSON.stringify({
    problems,
    health,
    lostBytes,
    exit,
    read,
    dropped,
    end: session.endCursor,
    tail: tail.text === "B".repeat(1000),
  }),
);
