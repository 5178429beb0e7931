/** A menu that hides the caret and takes single keys; one choice takes a while. */
import { setTimeout as sleep } from "node:timers/promises";

const draw = (note) => process.stdout.write(`\x1b[?25l\r\x1b[J${note}\r\n 1 one\r\n 2 two\r\n q quit\r\n`);
process.stdin.setRawMode(true).resume();
draw("choose");
process.stdin.on("data", async (bytes) => {
  const key = bytes.toString();
  if (key === "q") process.exit();
  process.stdout.write("working\r\n");
  for (let left = 8; key === "2" && left > 0; left -= 1) {
    await sleep(120);
    process.stdout.write(".");
  }
  draw(`${key === "1" ? "one" : "two"} done`);
});
