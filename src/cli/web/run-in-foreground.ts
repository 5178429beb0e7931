/** `limpet web run`: the web server itself, until a signal, `limpet web stop`, or an hour without use and sessions. */
import { homedir } from "node:os";
import { requireMetricsAddress } from "../../base/format/metrics-address.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Span } from "../../web/connect-sessions.ts";
import { mcpRoute } from "../../web/mcp/mcp-route.ts";
import { runWeb } from "../../web/process/run-web.ts";
import { TokenFile } from "../../web/tokens/token-file.ts";
import type { Args } from "../args/command.ts";
import { isOn, textOf } from "../args/read-args.ts";
import { OK } from "../exit-codes.ts";
import { askedFleet } from "../fleet/nats-args.ts";
import { openAgentServer } from "../mcp/open-agent-server.ts";
import type { Meter } from "../mcp/open-meter.ts";
import { validCallers } from "../mcp/valid-callers.ts";
import { print, printError } from "../print/print.ts";
import { requirePerson } from "../require-outside-session.ts";
import { agentPolicy, mcpSettings, placesSetting } from "../settings/settings.ts";
import { hasStarter, reportSecond } from "../start-pipe.ts";
import { passwordIn, whereOf } from "./where-of.ts";

/** Each line may contain the stack of an error: some hundred kilobytes in all. */
const MAX_LOG_LINES = 500;

interface RunOptions {
  readonly directory: string;
  readonly lockPatienceMs: number;
}

export async function runInForeground(args: Args, { directory, lockPatienceMs }: RunOptions): Promise<number> {
  const isDetached = isOn(args, "detached");
  await requirePerson("limpet web");
  let lines = 0;
  const say = (text: string) => {
    lines += 1;
    // The log is emptied only at the next start.
    if (lines <= MAX_LOG_LINES) printError(`${new Date().toISOString()} ${process.pid} ${text}`);
  };
  const end = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    if (end.signal.aborted) process.exit(1);
    say(`ends: ${signal}`);
    end.abort();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
  // The terminal that started it may close.
  if (isDetached) process.on("SIGHUP", () => undefined);
  if (isDetached) goHome();
  const meter = await meterOf(args, say);
  const agents = await openAgentServer(mcpSettings({ tools: "all", state: directory }), { meter });
  const mcp = mcpRoute({ ...agents.options, isValid: validCallers(new TokenFile(directory)) });
  try {
    await runWeb({
      tokenRoutes: [mcp.route],
      stateDirectory: directory,
      where: whereOf(args),
      password: await passwordIn(args),
      places: isOn(args, "fleet") ? await spanFleet(args, meter) : placesSetting(),
      fleet: askedFleet(args),
      meter,
      ruleFile: agentPolicy().ruleFile,
      lockPatienceMs,
      signal: end.signal,
      ...(isDetached ? { isWanted: hasStarter } : {}),
      onProblem: say,
      // In the foreground, it runs until it is interrupted.
      ...(isDetached ? {} : { idleMs: null }),
      onListening: ({ base, socket }) => {
        if (isDetached) say(`web server of ${directory}`);
        else print(`Listening on ${socket ?? base}. Get a link with: limpet web`);
      },
    });
  } catch (error) {
    // Several may have been started at once: all their starters find the first one.
    if (!isDetached || !(error instanceof LimpetError) || error.code !== "WEB_RUNNING") throw error;
    reportSecond();
    return OK;
  } finally {
    meter?.close();
    mcp.close();
    await agents.end();
  }
  say("ended");
  return OK;
}

/** Undefined without `--metrics`. */
async function meterOf(args: Args, say: (text: string) => void): Promise<Meter | undefined> {
  const given = textOf(args, "metrics");
  if (given === undefined) return undefined;
  const { openMeter } = await import("../mcp/open-meter.ts");
  const meter = await openMeter(requireMetricsAddress(given));
  say(`metrics at http://${meter.address}/metrics`);
  return meter;
}

/** This machine and all hosts of the fleet. */
async function spanFleet(args: Args, meter: Meter | undefined): Promise<Span> {
  const [{ openFleetClient }, { fleetService }, { fleetMetrics }] = await Promise.all([
    import("../fleet/fleet-clients.ts"),
    import("../../fleet/door/fleet-service.ts"),
    import("../../fleet/door/fleet-metrics.ts"),
  ]);
  const door = openFleetClient(args);
  if (meter) {
    meter.add(() => fleetMetrics(door.knownHosts()));
    // The first call starts to follow the hosts.
    void door.hosts().catch(() => undefined);
  }
  return (here) => ({
    sessions: fleetService({ door, labels: undefined, here }),
    disconnect: () => void door.close(),
  });
}

/** Agents that name no directory work in the home directory. */
function goHome(): void {
  try {
    process.chdir(homedir());
  } catch {
    // Without a home directory, they work in the root directory.
  }
}
