/** A REPL of node's: it shows parts of its answer in bursts, and reads keys all the time. */
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: "> " });
lines.prompt();
lines.on("line", async (line) => {
  for (const part of ["first", "second", "third"]) {
    await sleep(450);
    console.log(`${part}: ${line}`);
  }
  await sleep(900);
  console.log(`done ${line}`);
  lines.prompt();
});
