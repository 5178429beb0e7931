import type { MetricsAddress } from "../../base/format/metrics-address.ts";
import { HOST_STOP_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { HostClient } from "../../host/client/host-client.ts";
import type { Args, Command } from "../args/command.ts";
import { atArg, jsonArg } from "../args/common-args.ts";
import { isOn, requiredText, textOf } from "../args/read-args.ts";
import { elsewhereOf } from "../elsewhere-of.ts";
import { FAILED, OK } from "../exit-codes.ts";
import { joinArgs, joinListener } from "../fleet/join-listener.ts";
import { describeHost, describeOtherHost } from "../print/describe-host.ts";
import { type LogForm, logLine, requireLogForm } from "../print/log-line.ts";
import { print, printError, printJson } from "../print/print.ts";
import { secretSettings } from "../settings/secret-settings.ts";
import { auditSetting, hookSettings, metricsSetting, stateDirectory } from "../settings/settings.ts";
import { hasStarter, reportSecond } from "../start-pipe.ts";
import { clientAt } from "../with-host.ts";

const ACTIONS = ["run", "status", "stop", "connect"] as const;

export const host: Command = {
  name: "host",
  description: "Control the host: the process that owns the sessions and outlives its clients.",
  args: {
    action: { type: "positional", choices: ACTIONS, description: `One of ${ACTIONS.join(", ")}` },
    state: { type: "string", hint: "DIR", description: "The host's directory. Default: $LIMPET_HOME" },
    ...atArg,
    ...jsonArg(),
    force: { type: "boolean", description: "With stop: kill a host that does not answer, and all its sessions" },
    stdio: { type: "boolean", description: "With connect: pass the host's protocol over stdin and stdout" },
    "no-start": { type: "boolean", description: "With connect: fail if no host runs, instead of starting one" },
    protocol: {
      type: "string",
      hint: "N",
      description: "With stop and --at: the host there with this protocol, which an older limpet started",
    },
    ...joinArgs,
    metrics: {
      type: "string",
      hint: "[ADDRESS:]PORT",
      description: "With run: answer monitoring programs at http://ADDRESS:PORT/metrics. Default: off",
    },
    log: { type: "string", hint: "text|json", description: "With run: how its log is written. Default: text" },
    nonce: {
      type: "string",
      hint: "TEXT",
      isHidden: true,
      description: "Started over a link: what its lines begin with",
    },
    inside: {
      type: "string",
      hint: "JSON",
      isHidden: true,
      description: "Started by a client: run all programs in this container",
    },
    detached: {
      type: "boolean",
      isHidden: true,
      description: "Started by a client: wait for a host that is about to end",
    },
  },
  examples: [
    "limpet host status",
    "limpet host stop",
    "limpet host stop --force   # if it does not answer",
    "limpet host stop --at ssh:me@build   # the host of another machine",
    "limpet host run --state ./state   # in the foreground",
    "limpet host run --join nats://nats:4222 --name gpu-1 --label gpu --creds gpu-1.creds",
    "limpet host run --metrics 127.0.0.1:9464 --log json",
    "ssh build limpet host connect --stdio   # the host of another machine, for a program",
  ],
  async run(args) {
    const directory = stateDirectory({ state: textOf(args, "state") });
    const action = requiredText(args, "action");
    switch (action) {
      case "run":
        return await run(directory, {
          isDetached: isOn(args, "detached"),
          inside: textOf(args, "inside"),
          metrics: metricsSetting(textOf(args, "metrics")),
          log: requireLogForm(textOf(args, "log")),
          args,
        });
      case "status":
        return await status(await hostOf(args, directory), { isJson: isOn(args, "json") });
      case "stop":
        return await stop(args, directory);
      case "connect":
        return await relay(directory, args);
      default:
        throw new LimpetError(
          "BAD_OPTION",
          `limpet host has no action ${JSON.stringify(action)}. Use one of: ${ACTIONS.join(", ")}.`,
        );
    }
  },
};

interface RunOptions {
  readonly isDetached: boolean;
  /** The container in which all programs run, as JSON. */
  readonly inside: string | undefined;
  /** Whether and how it joins a fleet. */
  readonly args: Args;
  readonly metrics: MetricsAddress | undefined;
  readonly log: LogForm;
}

/** Runs until a signal, `limpet host stop`, or an hour without sessions and clients. */
async function run(directory: string, { isDetached, inside, metrics, log, args }: RunOptions): Promise<number> {
  const [{ runHost }, { stayReadyToStart }] = await Promise.all([
    import("../../host/run-host.ts"),
    import("../../pty/start-in-group.ts"),
  ]);
  const say = (message: string) => printError(logLine({ atMs: Date.now(), pid: process.pid, message }, log));
  const listener = await joinListener(args, say);
  const end = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    // On the second signal, kill what is left and exit.
    if (end.signal.aborted) process.exit(1);
    say(`ends: ${signal}`);
    end.abort();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
  // The terminal that started it may close.
  if (isDetached) process.on("SIGHUP", () => undefined);
  try {
    await runHost({
      stateDirectory: directory,
      ...(inside === undefined ? {} : { elsewhere: () => elsewhereOf(inside, directory) }),
      ...(listener === undefined ? {} : { listener }),
      signal: end.signal,
      hooks: hookSettings(),
      audit: auditSetting(),
      secrets: secretSettings(),
      onProblem: say,
      ...(metrics === undefined
        ? {}
        : { metrics, onMetrics: (address) => say(`metrics at http://${address}/metrics`) }),
      onListening: () => {
        say(`host of ${directory}`);
        stayReadyToStart();
      },
      onDamaged: (damaged) => {
        for (const { directory, problem } of damaged) say(`set aside ${directory}: its record is damaged: ${problem}`);
      },
      ...(isDetached ? { lockPatienceMs: 2 * HOST_STOP_MS, isWanted: hasStarter } : {}),
    });
  } catch (error) {
    // Several clients may each have started a host: all of them use the first one.
    const isOneTooMany = isDetached && error instanceof LimpetError && error.code === "HOST_RUNNING";
    if (isOneTooMany) {
      reportSecond();
      return 0;
    }
    throw error;
  }
  say("ended");
  return 0;
}

/** Passes bytes until either side ends. */
async function relay(directory: string, args: Args): Promise<number> {
  if (!isOn(args, "stdio"))
    throw new LimpetError("BAD_OPTION", "limpet host connect needs --stdio. Use limpet ls to see the sessions.");
  const [{ relayStdio }, { ownCommand }, { prefaceOf }] = await Promise.all([
    import("../../host/relay-stdio.ts"),
    import("../../host/client/connect-host.ts"),
    import("../../places/boot/bootstrap-script.ts"),
  ]);
  const nonce = textOf(args, "nonce");
  const outcome = await relayStdio({
    stateDirectory: directory,
    startWith: isOn(args, "no-start") ? undefined : ownCommand,
    protocol: protocolIn(args),
    preface: nonce === undefined ? undefined : prefaceOf(nonce),
  });
  if (outcome === "none") printError(`No host is running in ${directory}. Leave out --no-start to start one.`);
  return outcome === "relayed" ? OK : FAILED;
}

interface NamedHost {
  readonly client: HostClient;
  /** The host's directory, or its place. */
  readonly where: string;
}

async function hostOf(args: Args, directory: string): Promise<NamedHost> {
  const place = textOf(args, "at");
  if (place !== undefined)
    return { client: await clientAt(place, { bringsNode: isOn(args, "bring-node") }), where: place };
  const { connectHost } = await import("../../host/client/connect-host.ts");
  return { client: connectHost({ stateDirectory: directory }), where: directory };
}

async function status({ client, where }: NamedHost, { isJson }: { readonly isJson: boolean }): Promise<number> {
  const [found, others] = [await client.hostStatus(), await client.otherHosts()];
  client.disconnect();
  if (isJson) printJson(found ? { ...found, ...(others.length > 0 ? { others } : {}) } : null);
  else
    print(
      [found ? describeHost(found) : `No host is running in ${where}.`, ...others.map(describeOtherHost)].join("\n"),
    );
  return found ? OK : FAILED;
}

function protocolIn(args: Args): number | undefined {
  const given = textOf(args, "protocol");
  if (given === undefined) return undefined;
  if (/^\d{1,6}$/.test(given)) return Number(given);
  throw new LimpetError(
    "BAD_OPTION",
    `--protocol is ${JSON.stringify(given)}. Give the number that limpet host status shows.`,
  );
}

async function stop(args: Args, directory: string): Promise<number> {
  const isForced = isOn(args, "force");
  if (isForced && textOf(args, "at") !== undefined)
    throw new LimpetError(
      "BAD_OPTION",
      "--force can only kill a host on this machine. Run it at the place, without --at.",
    );
  const { client, where } = await hostOf(args, directory);
  const protocol = protocolIn(args);
  const wasRunning = isForced
    ? await kill(directory)
    : await client.stopHost(protocol === undefined ? {} : { protocol });
  client.disconnect();
  if (isOn(args, "json")) printJson({ wasRunning });
  else print(wasRunning ? "Stopped the host and all its sessions." : `No host is running in ${where}.`);
  return OK;
}

async function kill(directory: string): Promise<boolean> {
  const { killHost } = await import("../../host/kill-host.ts");
  return await killHost(directory);
}
