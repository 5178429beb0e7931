/**
 * flood-caller STATE COUNT PRODUCER BYTES: floods sessions of a host and reads them all the time, until its stdin ends. Prints a
 * line when the floods run, and how much it has read at the end.
 */
import { once } from "node:events";
import { connectHost } from "../dist/entries/service.js";

const [stateDirectory, count, producer, bytes] = process.argv.slice(2);
const host = connectHost({ stateDirectory });
const caller = "flood";
let isOver = false;
let turns = 0;
let longestMs = 0;

const command = `exec ${producer} lines ${bytes}`;
const started = [];
for (let i = 0; i < Number(count); i += 1) {
  const on = { kind: "start", start: { command, shell: "/bin/sh", login: false } };
  started.push((await host.turn({ caller, on })).session.id);
}
const startedMs = performance.now();
const reading = started.map(readOn);
process.stdout.write("runs\n");
process.stdin.resume();
await once(process.stdin, "end");
isOver = true;
const seconds = (performance.now() - startedMs) / 1000;
const printed = await Promise.all(started.map(async (id) => (await host.find(id)).outputBytes));
const mb = printed.reduce((sum, each) => sum + each, 0) / 1e6 / seconds;
for (const id of started) await host.close(id, { force: true });
await Promise.all(reading);
process.stdout.write(
  `${mb.toFixed(0)} MB/s, ${(turns / seconds).toFixed(0)} turns/s, longest ${longestMs.toFixed(0)} ms\n`,
);
host.disconnect();

async function readOn(key) {
  while (!isOver) {
    const askedMs = performance.now();
    const { receipt } = await host.turn({ caller, on: { kind: "session", key }, read: { kind: "unread" } });
    longestMs = Math.max(longestMs, performance.now() - askedMs);
    host.acknowledge({ caller, receipt });
    turns += 1;
  }
}
