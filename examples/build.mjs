/** Runs a build with a time limit. What it printed is there in both cases. */
import { run } from "limpet";

for (const command of ["echo compiling; exit 2", "echo linking; sleep 60"]) {
  const { exitCode, timedOut, output } = await run(command, { timeoutMs: 2_000 });
  console.log(`${timedOut ? "timed out" : `exit code ${exitCode}`}: ${output.trim()}`);
}
