/** A shell that stays: what one command leaves behind is there for the next, and one that asks is answered. */
import { openShell } from "limpet/shell";

const shell = await openShell({ shell: "bash" });

try {
  // Directory, variables and functions stay, as for a person at a prompt.
  await run('cd /usr && greet() { echo "Hello, $1."; }');
  await run("greet Grace; pwd");

  // No pattern says where the output ends: it is all there, with the exit code, whatever it looks like.
  await run("echo 'exit code: 0'; false");

  // A command that asks comes back at once, and says for what it waits.
  const asked = await run("read -rp 'Your name? ' name");
  if (asked.waitingFor !== "line") throw new Error(`It waits for ${asked.waitingFor}.`);
  await shell.write("Ada\n");
  await shell.wait({ timeoutMs: 20_000 });
  await run('greet "$name"');

  // One that takes too long is ended; the shell, and what it knows, stays.
  await run("sleep 60", { timeoutMs: 500 });
  await run('echo "still here, $name"');
} finally {
  await shell.close();
}

async function run(command, options = { timeoutMs: 20_000 }) {
  const result = await shell.run(command, options);
  const { output, exitCode, waitingFor, timedOut, cwd } = result;
  const how = waitingFor
    ? `waits for a ${waitingFor}`
    : `exit code ${exitCode}${timedOut ? ", timed out" : ""}, in ${cwd}`;
  console.log(`$ ${command}\n${output}${output === "" || output.endsWith("\n") ? "" : "\n"}[${how}]\n`);
  return result;
}
