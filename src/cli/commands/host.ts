import { HOST_STOP_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { HostStatus } from "../../host/protocol.ts";
import type { Command } from "../args/command.ts";
import { jsonArg } from "../args/common-args.ts";
import { isOn, requiredText, textOf } from "../args/read-args.ts";
import { print, printError, printJson } from "../print/print.ts";
import { stateDirectory } from "../settings/settings.ts";

const ACTIONS = ["run", "status", "stop"] as const;

export const host: Command = {
  name: "host",
  description: "The process that owns sessions and outlives its clients.",
  args: {
    action: { type: "positional", choices: ACTIONS, description: `One of ${ACTIONS.join(", ")}` },
    state: { type: "string", hint: "DIR", description: "Its directory. Default: $LIMPET_HOME" },
    ...jsonArg(),
    detached: { type: "boolean", isHidden: true, description: "Started by a client: wait for one that is just ending" },
  },
  examples: ["limpet host status", "limpet host stop"],
  async run(args) {
    const directory = stateDirectory({ state: textOf(args, "state") });
    const action = requiredText(args, "action");
    switch (action) {
      case "run":
        return await run(directory, { isDetached: isOn(args, "detached") });
      case "status":
        return await status(directory, { isJson: isOn(args, "json") });
      case "stop":
        return await stop(directory, { isJson: isOn(args, "json") });
      default:
        throw new LimpetError(
          "BAD_OPTION",
          `limpet host cannot ${JSON.stringify(action)}. Give one of: ${ACTIONS.join(", ")}.`,
        );
    }
  },
};

/** Until it is told to end, or of no use any more. */
async function run(directory: string, { isDetached }: { readonly isDetached: boolean }): Promise<number> {
  const { runHost } = await import("../../host/run-host.ts");
  const say = (text: string) => printError(`${new Date().toISOString()} ${process.pid} ${text}`);
  const end = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    // The second one is meant: what is left is killed on the way out.
    if (end.signal.aborted) process.exit(1);
    say(`ends: ${signal}`);
    end.abort();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
  // Its starter's terminal has gone, which is none of its business.
  if (isDetached) process.on("SIGHUP", () => undefined);
  try {
    await runHost({
      stateDirectory: directory,
      signal: end.signal,
      onListening: () => say(`host of ${directory}`),
      ...(isDetached ? { lockPatienceMs: 2 * HOST_STOP_MS } : {}),
    });
  } catch (error) {
    // Several clients may have started one each: all reach the one that was first.
    const isOneTooMany = isDetached && error instanceof LimpetError && error.code === "HOST_RUNNING";
    if (isOneTooMany) return 0;
    throw error;
  }
  say("ended");
  return 0;
}

async function status(directory: string, { isJson }: { readonly isJson: boolean }): Promise<number> {
  const { connectHost } = await import("../../host/connect-host.ts");
  const found = await connectHost({ stateDirectory: directory }).hostStatus();
  if (isJson) printJson(found ?? null);
  else print(found ? describe(found) : `No host runs on ${directory}.`);
  return found ? 0 : 1;
}

async function stop(directory: string, { isJson }: { readonly isJson: boolean }): Promise<number> {
  const { connectHost } = await import("../../host/connect-host.ts");
  const wasRunning = await connectHost({ stateDirectory: directory }).stopHost();
  if (isJson) printJson({ wasRunning });
  else print(wasRunning ? "The host has ended, and all its sessions." : `No host runs on ${directory}.`);
  return 0;
}

function describe({ pid, version, stateDirectory: directory, sessions, clients, startedAt }: HostStatus): string {
  return [
    `Host ${pid} (limpet ${version}) on ${directory}`,
    `Running since ${new Date(startedAt).toISOString()}`,
    `${counted(sessions, "running session")}, ${counted(clients - 1, "other client")}`,
  ].join("\n");
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
