/** A REPL whose main thread reads keys while another thread computes in silence. */
import { createInterface } from "node:readline";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

if (isMainThread) {
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: "> " });
  lines.prompt();
  lines.on("line", () => {
    new Worker(new URL(import.meta.url)).on("message", (sum) => {
      console.log(`sum ${sum}`);
      lines.prompt();
    });
  });
} else {
  const endMs = Date.now() + 2_000;
  let sum = 0;
  while (Date.now() < endMs) sum += 1;
  parentPort.postMessage(sum);
}
