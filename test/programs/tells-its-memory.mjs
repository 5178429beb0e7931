// Loaded before a host, with --expose-gc: on SIGUSR2 it tells on stderr how much memory it has, once all garbage is collected.
import { setFlagsFromString } from "node:v8";

process.on("SIGUSR2", () => {
  // Otherwise the garbage goes, and its pages stay: they are kept for what comes next, until there is a pause of half a minute.
  setFlagsFromString("--compact-on-every-full-gc");
  for (let times = 0; times < 2; times += 1) globalThis.gc();
  setFlagsFromString("--no-compact-on-every-full-gc");
  console.error(`memory ${process.memoryUsage.rss()}`);
});
