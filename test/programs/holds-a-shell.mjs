// Holds a shell, and says where its files are. Argument: how it ends, or "stays".
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { openShell } from "../../dist/entries/shell.js";

const [how] = process.argv.slice(2);
const shell = await openShell({ shell: "/bin/bash" });
await shell.run("true");

const ends = {
  stays: () => undefined,
  // Its command file is replaced.
  interrupts: async () => {
    let isOver = false;
    const running = shell.run("sleep 100").then(() => {
      isOver = true;
    });
    while (!isOver) {
      await shell.interrupt();
      await sleep(300);
    }
    await running;
  },
  closes: () => shell.close(),
  forces: () => shell.close({ force: true }),
  exits: () => shell.run("exit 3"),
  execs: () => shell.run("exec true"),
  dies: () => shell.run("kill -KILL $$"),
  deletes: () => shell.run(`rm -r ${tmpdir()}/limpet-shell-*`),
  quits: () => process.exit(0),
};

await ends[how]?.();
const files = () => readdirSync(tmpdir()).filter((name) => name.startsWith("limpet-"));
console.log(JSON.stringify({ files: files() }));
if (how === "stays" || how === "interrupts") setInterval(() => {}, 1000);
else await shell.close();
