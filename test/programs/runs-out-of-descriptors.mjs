// Opens sessions until no descriptor is left, and goes on from there. To be started with a limit on them.
import { openSync } from "node:fs";
import { openSession } from "../../dist/entries/session.js";

const report = (value) => console.log(JSON.stringify(value));
const open = (tty) => openSession({ program: "cat", tty });

async function openAll(tty) {
  const sessions = [];
  for (;;) {
    try {
      sessions.push(await open(tty));
    } catch (error) {
      return { sessions, error: { name: error.name, code: error.code, message: error.message } };
    }
  }
}

async function echoes(session) {
  await session.write("ping\n");
  for await (const page of session.output()) if (Buffer.from(page.bytes).includes("ping")) return true;
  return false;
}

for (const tty of [true, false]) {
  const { sessions, error } = await openAll(tty);
  const isEchoing = (await Promise.all(sessions.map(echoes))).every(Boolean);
  const reports = await Promise.all(sessions.map((session) => session.close()));
  const again = await open(tty);
  report({
    opened: sessions.length,
    error,
    isEchoing,
    ended: reports.flatMap(({ ended }) => ended).length,
    left: reports.flatMap(({ left }) => left).length,
    echoesAgain: await echoes(again),
  });
  await again.close();
}

// Not one descriptor is left: a session must still be found and ended.
const last = await openSession({ command: "setsid sleep 1000 & echo ready; sleep 1000", shell: "/bin/sh" });
for await (const page of last.output()) if (page.bytes.length > 0) break;
try {
  for (;;) openSync("/dev/null");
} catch {}
const refused = await openSession({ program: "cat" }).catch(({ code }) => code);
const { ended, left } = await last.close();
report({ refused, ended: ended.length, left: left.length });
