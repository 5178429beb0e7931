/** All sessions in brief: on the command line, as a resource and as a prompt. */
import { expect, test } from "vitest";
import { runCommand, startSession } from "../../src/service/turn/simple-turns.ts";
import { openCli } from "../support/cli.ts";
import { connect } from "../support/mcp.ts";

const plain = { login: false, shell: "/bin/sh" };

test("limpet brief shows open questions, what runs, failures and the last command of a shell", async () => {
  await using cli = openCli();
  const { sessions } = cli;
  await startSession(sessions, { command: "printf 'Go on? '; read -r x", name: "asking", ...plain });
  await startSession(sessions, { command: "echo working; exec sleep 1000", name: "dev", ...plain });
  await startSession(sessions, { command: "echo broken; exit 3", name: "build", ...plain });
  await runCommand(sessions, { command: "cd /; false", shell: "main", caller: "test", fresh: { shell: "/bin/sh" } });

  await expect
    .poll(async () => (await cli.limpet(["brief"])).stdout.replace(/^\d+/gm, "#").split("\n"))
    .toEqual([
      "# sessions: 1 waiting for input, 1 running, 1 failed or lost, 1 idle",
      '# (asking) waits for input (line): "printf \'Go on? \'; read -r x" | "Go on?"',
      '# (dev) running: "echo working; exec sleep 1000" | "working"',
      '# (build) exited with code 3: "echo broken; exit 3" | "broken"',
      '# (main) idle in /, last "cd /; false" code 1',
      "",
    ]);
});

test("an agent has the same as a resource and as a prompt", async () => {
  await using server = await connect();
  await server.call("exec_command", { cmd: "exit 7", name: "seven", login: false });
  const line = '1 (seven) exited with code 7: "exit 7"';

  const { contents } = await server.client.readResource({ uri: "limpet://brief" });
  const { prompts } = await server.client.listPrompts();
  const { messages } = await server.client.getPrompt({ name: "brief" });

  expect(contents).toEqual([
    { uri: "limpet://brief", mimeType: "text/plain", text: `1 session: 1 failed or lost\n${line}` },
  ]);
  expect(prompts.map(({ name }) => name)).toEqual(["brief"]);
  expect(JSON.stringify(messages)).toContain(JSON.stringify(line).slice(1, -1));
  await expect(server.client.getPrompt({ name: "nothing" })).rejects.toThrow("Use brief.");
});
