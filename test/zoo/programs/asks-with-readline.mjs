import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";

const lines = createInterface({ input: process.stdin, output: process.stdout });
const name = await lines.question("name? ");
await sleep(1_200);
console.log("hello", name);
await lines.question("more? ");
console.log("bye");
lines.close();
