/** As process 1 it is the parent of every orphan. Tells whether the daemon of its session outlived the close. */
import { execFileSync } from "node:child_process";
import { openSession } from "../../dist/entries/session.js";

const session = await openSession({ command: "setsid -f sleep 987654; echo ready; sleep 1000", shell: "/bin/sh" });
// The daemon is orphaned, and so our child, before anything that waits for a turn of the loop.
const untilMs = Date.now() + 300;
while (Date.now() < untilMs);
await session.wait({ until: "ready", onInput: false, deadlineMs: 20_000 });
const { ended, by, left } = await session.close({ force: true });
const processes = execFileSync("ps", ["-eo", "stat,args"], { encoding: "utf8" }).split("\n");
const survivors = processes.filter((line) => line.includes("sleep 987654") && !line.startsWith("Z"));
console.log(JSON.stringify({ names: ended.map(({ name }) => name).sort(), by, left, survivors: survivors.length }));
