import { setTimeout as sleep } from "node:timers/promises";
import type { SessionService } from "../../service/session-service.ts";
import { readOutput, startSession, waitForSession } from "../../service/turn/simple-turns.ts";
import type { Command } from "../args/command.ts";
import { isOn } from "../args/read-args.ts";
import { print } from "../print/print.ts";
import { withHost } from "../with-host.ts";

export const demo: Command = {
  name: "demo",
  description: "Show what limpet does, in half a minute. Leaves nothing behind.",
  args: { fast: { type: "boolean", description: "Skip the pauses for reading" } },
  examples: ["limpet demo"],
  run: (args) => withHost({}, (sessions) => tour(sessions, isOn(args, "fast") ? 0 : 1_500)),
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
  await tell("A session is a program in its own terminal. This one is a shell script that asks for a password:\n");
  const command =
    'printf \'Password: \'; read -rs secret; echo; echo "thanks, $(printf %s "$secret" | wc -c) characters"; read -rp \'and your name? \' name; echo "hello $name"; exit 3';
  const { id } = await startSession(sessions, { command, shell: "/bin/bash" });
  try {
    print(`$ limpet start …\n${id}\n`);
    await tell(`$ limpet wait ${id}          # returns as soon as the program waits for input`);
    print(await waitFor(sessions, id));
    await show(id);
    await tell(`\n$ limpet send ${id} hunter2 --enter    # hidden input is never recorded or logged`);
    await sessions.write(id, "hunter2\r", { caller: CALLER });
    print(await waitFor(sessions, id));
    await show(id);
    await tell(`\n$ limpet send ${id} you --enter`);
    await sessions.write(id, "you\r", { caller: CALLER });
    print(await waitFor(sessions, id));
    await show(id);
    await tell("\nYou can read the output of a session after it ends: limpet logs ID. The demo deletes this one now.");
    await tell("Attach to any running session: limpet attach ID.");
    await tell("See all of them at once: limpet top. Agents use the same sessions through: limpet mcp.");
  } finally {
    await sessions.close(id, { force: true });
  }
}

async function waitFor(sessions: SessionService, id: number): Promise<string> {
  const { result } = await waitForSession(sessions, { keys: [id], caller: CALLER, deadlineMs: DEADLINE_MS });
  if (result.reason === "input") return `  it waits for input: ${result.waitingFor}`;
  return result.reason === "exited" && result.exit.kind === "code" ? `  it exited with code ${result.exit.code}` : "";
}
