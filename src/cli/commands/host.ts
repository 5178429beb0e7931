import { HOST_STOP_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { HostStatus } from "../../host/protocol.ts";
import type { Command } from "../args/command.ts";
import { jsonArg } from "../args/common-args.ts";
import { print, printError, printJson } from "../print/print.ts";
import { stateDirectory } from "../settings/settings.ts";

const ACTIONS = ["run", "status", "stop"] as const;

export const host: Command = {
  meta: {
    name: "host",
    description: "The process that owns sessions and outlives its clients.",
  },
  args: {
    action: { type: "positional", required: true, description: `One of ${ACTIONS.join(", ")}` },
    state: { type: "string", valueHint: "DIR", description: "Its directory. Default: $LIMPET_HOME" },
    ...jsonArg(),
    detached: { type: "boolean", description: "Started by a client: wait for one that is just ending" },
  },
  ownFlags: ["detached"],
  choices: ACTIONS,
  examples: ["limpet host status", "limpet host stop"],
  async run({ args }) {
    const directory = stateDirectory({ state: args["state"] as string | undefined });
    const action = args["action"] as unknown;
    switch (action) {
      case "run":
        return await run(directory, { isDetached: args["detached"] === true });
      case "status":
        return await status(directory, { isJson: args["json"] === true });
      case "stop":
        return await stop(directory, { isJson: args["json"] === true });
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
