// Opens terminals until the machine has no more, frees one, and opens another.
import { openSession } from "../../dist/entries/session.js";

const sessions = [];
let error;
while (!error && sessions.length < 100) {
  try {
    sessions.push(await openSession({ program: "cat" }));
  } catch (caught) {
    error = { name: caught.name, code: caught.code, message: caught.message };
  }
}
const piped = await openSession({ command: "echo no terminal needed", shell: "/bin/sh", tty: false });
await piped.ended;
await sessions[0]?.close();
const again = await openSession({ command: "echo again", shell: "/bin/sh" }).catch(() => undefined);
await again?.ended;
console.log(
  JSON.stringify({
    opened: sessions.length,
    error,
    piped: (await piped.readText()).text,
    again: (await again?.readText())?.text,
  }),
);
await Promise.all(sessions.map((session) => session.close()));
