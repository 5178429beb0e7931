// Records a session to a file and tells how that went. Arguments: the file, a shell command, "wait" or "hold".
// With "hold" it goes on until it is killed.

import { recordSession } from "../../dist/entries/record.js";
import { openSession } from "../../dist/entries/session.js";

const [file, command, how] = process.argv.slice(2);
const problems = [];
process.on("uncaughtException", (error) => problems.push(String(error)));

const session = await openSession({ command, shell: "/bin/bash" });
const recording = await recordSession(session, { file });
console.log(JSON.stringify({ state: recording.state.kind }));
if (how === "hold") await new Promise(() => setInterval(() => undefined, 1000));
const state = await recording.done;
// The session goes on, whatever the disk has said.
await session.write("go\n");
const exit = await session.ended;
const { text } = await session.readText({ from: Math.max(0, session.endCursor - 200) });
await session.discard();
console.log(JSON.stringify({ problems, state, exit, said: text.includes("went on") }));
