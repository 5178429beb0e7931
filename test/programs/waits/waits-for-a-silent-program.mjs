// Waits for a program that closes its output long before it ends: nothing but the wait is left then.
import { openSession } from "../../../dist/entries/session.js";

const session = await openSession({ command: "exec >&- 2>&-; sleep 0.5; exit 6", shell: "/bin/sh", tty: false });
console.log(JSON.stringify({ exit: await session.ended }));
