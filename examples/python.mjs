/** Drives a Python prompt: what one line defines is there for the next. */
import { open } from "limpet";

const python = await open("python3 -q");
await python.send("import math\n");
const { text, waitingFor } = await python.send("math.factorial(20)\n");
console.log(`${text} (waits for a ${waitingFor})`); // 2432902008176640000

await python.press("Ctrl+D");
console.log(await python.exited()); // { kind: "code", code: 0 }
await python.close();
