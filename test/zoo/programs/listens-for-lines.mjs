/** Reads lines through an event loop, without a prompt. Some take a while. */
import { setTimeout as sleep } from "node:timers/promises";

process.stdin.on("data", async (bytes) => {
  const line = bytes.toString().trim();
  if (line === "slow") await sleep(1_200);
  console.log(`got ${line}`);
});
console.log("ready");
