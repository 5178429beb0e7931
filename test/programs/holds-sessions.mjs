// Holds twenty sessions, one with orphans, then ends in the way that its first argument names.
// Arguments: how, a number of seconds to sleep for, how many sessions.
import { openSession } from "../../dist/entries/session.js";
import { importSource } from "../../scripts/import-source.mjs";

const [how, seconds, count] = process.argv.slice(2);
const orphans = `setsid sleep ${seconds} & (nohup sleep ${seconds} >/dev/null 2>&1 &); (trap '' HUP TERM; exec sleep ${seconds}) &`;

const sessions = [];
for (let index = 0; index < Number(count); index += 1) {
  const command = `${index === 0 ? orphans : ""} trap '' HUP TERM; echo ready; exec sleep ${seconds}`;
  sessions.push(await openSession({ command, shell: "/bin/bash", tty: index % 4 !== 3 }));
}
for (const session of sessions) for await (const page of session.output()) if (page.bytes.length > 0) break;

const ends = {
  signal: () => setInterval(() => {}, 1000),
  exit: () => process.exit(3),
  throw: () =>
    setImmediate(() => {
      throw new Error("nobody catches this");
    }),
  reject: () => void Promise.reject(new Error("nobody catches this either")),
  "own-listener": () => process.once("SIGTERM", () => process.exit(0)),
  "two-copies": async () => {
    const other = await importSource("linux/end-with-process.ts");
    other.endWithProcess({ killNow() {} });
  },
};

if (how === "two-copies") await ends[how]();
console.log(JSON.stringify({ pid: process.pid, programs: sessions.map(({ pid }) => pid) }));

if (how !== "two-copies") ends[how]();
if (how === "own-listener" || how === "two-copies") setInterval(() => {}, 1000);
