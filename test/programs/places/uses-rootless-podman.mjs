// Works in a rootless container without Node, and tells what can be known there. To be started as an ordinary user,
// with the path of an image's files as its argument.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "../../../dist/index.js";

const podman = (...args) => execFileSync("podman", args, { stdio: "pipe", timeout: 60_000 }).toString();
const running = (words) =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && read(`/proc/${pid}/cmdline`).startsWith(words)).length;

podman("import", process.argv[2], "box");
podman("run", "-d", "--name", "c1", "--network", "none", "--stop-timeout", "0", "box", "/bin/sleep", "100000");
const host = await connect({ place: "podman:c1" });
const { output, exitCode } = await host.run("echo out; id -u; exit 3");
const asking = await host.open("stty -echo; read x");
const { waitingFor } = await asking.wait({ timeoutMs: 60_000 });
const leaving = await host.open("trap '' HUP; setsid sleep 4441; true");
while (running("sleep\x004441\0") === 0) await new Promise((resolve) => setTimeout(resolve, 20));
const { by, left } = await leaving.close({ force: true });
const afterClose = running("sleep\x004441\0");
const deaf = await host.open("stty -echo; trap 'exit 7' INT; echo ready; while :; do sleep 0.1; done");
await deaf.wait({ until: /ready/, timeoutMs: 60_000 });
const typed = deaf.write(`${"x".repeat(74)}\n`.repeat(400)).catch(({ code }) => code);
while ((await deaf.status()).unreadInputBytes < 30_000) await new Promise((resolve) => setTimeout(resolve, 20));
void deaf.press("Ctrl+C").catch(() => undefined);
const interrupted = [await deaf.exited(), await typed];
console.log(JSON.stringify({ uid: process.getuid(), output, exitCode, waitingFor, by, left, afterClose, interrupted }));
await host.stop();
await host.close();

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
