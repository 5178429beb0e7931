import { setTimeout as sleep } from "node:timers/promises";
import type { SessionService } from "../../service/session-service.ts";
import { readOutput, startSession, waitForSession } from "../../service/simple-turns.ts";
import type { Command } from "../command.ts";
import { isOn } from "../flags.ts";
import { print } from "../print.ts";
import { withHost } from "../with-host.ts";

export const demo: Command = {
  meta: { name: "demo", description: "A short tour that runs by itself: half a minute, and nothing is left behind." },
  args: { fast: { type: "boolean", description: "Without the pauses for reading" } },
  examples: ["limpet demo"],
  run: ({ args }) => withHost((sessions) => tour(sessions, isOn(args, "fast") ? 0 : 1_500)),
};

const CALLER = "limpet demo";
const DEADLINE_MS = 10_000;

async function tour(sessions: SessionService, pauseMs: number): Promise<void> {
  const tell = async (text: string) => {
    print(text);
    await sleep(pauseMs);
  };
  const show = async (id: number) => {
    const { text } = await readOutput(sessions, id, { kind: "unread", caller: CALLER });
    print(text.replace(/^/gm, "  | "));
    await sleep(pauseMs);
  };
  await tell("A session is a program in a terminal of its own. This one is a shell that asks for a password:\n");
  const command =
    'printf \'Password: \'; read -rs secret; echo; echo "thanks, $(printf %s "$secret" | wc -c) characters"; read -rp \'and your name? \' name; echo "hello $name"; exit 3';
  const { id } = await startSession(sessions, { command, shell: "/bin/bash" });
  try {
    print(`$ limpet start …\n${id}\n`);
    await tell(`$ limpet wait ${id}          # the kernel says when a program waits, and for what`);
    print(await waitFor(sessions, id));
    await show(id);
    await tell(`\n$ limpet send ${id} hunter2 --enter    # never in a recording, never in a log`);
    await sessions.write(id, "hunter2\r", { caller: CALLER });
    print(await waitFor(sessions, id));
    await show(id);
    await tell(`\n$ limpet send ${id} you --enter`);
    await sessions.write(id, "you\r", { caller: CALLER });
    print(await waitFor(sessions, id));
    await show(id);
    await tell("\nWhat a session printed can be read after its end: limpet logs ID. This one is forgotten now.");
    await tell("A person can sit down at any that runs: limpet attach ID.");
    await tell("All of them at a glance: limpet top. An agent gets the same through: limpet mcp.");
  } finally {
    await sessions.close(id, { force: true });
  }
}

async function waitFor(sessions: SessionService, id: number): Promise<string> {
  const { result } = await waitForSession(sessions, { keys: [id], caller: CALLER, deadlineMs: DEADLINE_MS });
  if (result.reason === "input") return `  it waits for input: ${result.waitingFor}`;
  return result.reason === "exited" && result.exit.kind === "code" ? `  it exited with code ${result.exit.code}` : "";
}
