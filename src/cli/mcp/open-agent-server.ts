/** What an agent gets over MCP: its sessions, its tools and its rules, from the settings of the user. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { McpOptions } from "../../adapters/mcp/mcp-options.ts";
import { lazy } from "../../base/async/lazy.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import { connectHost } from "../../host/client/connect-host.ts";
import type { Disk } from "../../journal/disk/disk.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import { findProject } from "../../service/owners/find-project.ts";
import type { PasswordPrompt } from "../../service/secrets/prompt.ts";
import type { SessionService } from "../../service/session-service.ts";
import { wordOrQuote } from "../../text/clean/quote-line.ts";
import { profileLimits } from "../../tools/profile-limits.ts";
import type { Args } from "../args/command.ts";
import { printError } from "../print/print.ts";
import { agentEnv, auditSetting, type McpSettings } from "../settings/settings.ts";
import type { Meter } from "./open-meter.ts";

/** The client has disconnected, so programs get only a short grace period. */
const GRACE_MS = 400;
/** How many names fit in one line of an answer. */
const MAX_NAMED = 20;

type Env = Readonly<Record<string, string>>;

interface Held {
  readonly sessions: SessionService;
  /** Called when the server has stopped. */
  end(): Promise<void>;
}

/** Options for a server, whatever its transport. */
export interface AgentServer {
  readonly options: Omit<McpOptions, "caller" | "channel" | "input" | "output" | "onError">;
  /** Ends the sessions of this process; those of a host continue. */
  end(): Promise<void>;
}

/** The sessions run on the hosts of a fleet. */
export interface AgentFleet {
  /** Where NATS is. */
  readonly args: Args;
  /** The labels of hosts that may run the sessions; undefined: all hosts. */
  readonly labels: string | undefined;
}

interface AgentServerOptions {
  readonly fleet?: AgentFleet | undefined;
  /** Counts the requests of agents. Default: a meter of its own if the settings have an address for metrics. */
  readonly meter?: Meter | undefined;
}

export async function openAgentServer(
  settings: McpSettings,
  { fleet, meter: given }: AgentServerOptions = {},
): Promise<AgentServer> {
  const { profile, isStructured, maxWaitMs, sandbox, limits } = settings;
  const { env, withheld } = agentEnv();
  const here = settings.isInProcess ? await holdHere(settings, env) : reachHost(settings, env);
  const meter = given ?? (await ownMeter(settings));
  const all = fleet ? await withFleet(here, fleet, meter) : await withPlaces(here, settings);
  const held = meter ? { ...all, sessions: meter.over(all.sessions) } : all;
  return {
    options: {
      sessions: settings.redactsTokens ? await withoutTokens(held.sessions) : held.sessions,
      places: fleet ? [] : Object.keys(settings.places),
      ...(withheld.length > 0 ? { notice: describeWithheld(withheld) } : {}),
      profile,
      structured: isStructured,
      ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
      sandbox,
      programLimits: limits,
      policy: meter ? { ...settings.policy, onRefused: (error) => meter.noteRefusal(error) } : settings.policy,
      ...(settings.isInProcess ? {} : { passwordLink: (prompt) => passwordLink(settings.stateDirectory, prompt) }),
    },
    async end() {
      if (meter !== given) meter?.close();
      await held.end();
    },
  };
}

/** Loaded only if metrics are on. */
async function ownMeter({ metrics }: McpSettings): Promise<Meter | undefined> {
  if (!metrics) return undefined;
  const { openMeter } = await import("./open-meter.ts");
  const meter = await openMeter(metrics);
  printError(`limpet mcp: metrics at http://${meter.address}/metrics`);
  return meter;
}

/**
 * A link of the person's web server, if one runs. The web server refuses an agent that itself runs inside a session.
 */
async function passwordLink(stateDirectory: string, prompt: PasswordPrompt): Promise<string | undefined> {
  const { askWeb } = await import("../../web/process/ask-web.ts");
  const { token } = prompt;
  return (await askWeb(stateDirectory, { method: "prompt", session: String(keyOf(prompt)), token }))?.link;
}

/** Loaded only here: a server that uses a host does not need it. */
async function holdHere({ profile, stateDirectory: home }: McpSettings, env: () => Promise<Env>): Promise<Held> {
  const [{ SessionRegistry }, { LocalService }, { TemporaryDirectory }, { AuditLog }, redaction, { stayReadyToStart }] =
    await Promise.all([
      import("../../session/registry/session-registry.ts"),
      import("../../service/local-service.ts"),
      import("../../linux/temporary-directory.ts"),
      import("../../safety/audit/audit-log.ts"),
      import("../settings/secrets-here.ts"),
      import("../../pty/start-in-group.ts"),
    ]);
  stayReadyToStart();
  const journals = new TemporaryDirectory("journals");
  const stateDirectory = journals.path;
  const { known, secrets } = redaction.secretsHere();
  const registry = new SessionRegistry(
    { ...profileLimits[profile], defaults: { baseEnv: env, stateDirectory, redaction: known } },
    { disk: diskOnDemand() },
  );
  const mode = auditSetting();
  // Written to the host's directory: a user who never had a host has no audit.
  const hasAudit = mode === "required" || (mode === "on" && existsSync(home));
  const redact = (text: string) => known.redact(text);
  const audit = hasAudit ? new AuditLog({ directory: home, isRequired: mode === "required", redact }) : undefined;
  const end = async (): Promise<void> => {
    await registry.closeAll({ graceMs: GRACE_MS });
    await audit?.close();
    journals.remove();
  };
  const service = new LocalService(registry, {
    secrets,
    replacedIn: join(home, "replaced"),
    ...(audit ? { audit } : {}),
  });
  return { sessions: redaction.redactedService(service, known), end };
}

/** A thread that starts with its first job: a server must answer soon. */
function diskOnDemand(): Disk {
  const opened = lazy(async () => (await import("../../journal/disk/open-disk.ts")).openDisk());
  return { run: async (job) => await (await opened()).run(job) };
}

function reachHost({ stateDirectory }: McpSettings, env: () => Promise<Env>): Held {
  const sessions = connectHost({ stateDirectory, env });
  return { sessions, end: async () => sessions.disconnect() };
}

/** Sessions that span the places of the person, if there are any. */
async function withPlaces(held: Held, { places, stateDirectory }: McpSettings): Promise<Held> {
  if (Object.keys(places).length === 0) return held;
  const { connectPlaces } = await import("../../places/spanning/connect-places.ts");
  const project = findProject(workingDirectory());
  const { sessions, disconnect } = connectPlaces({ here: held.sessions, places, stateDirectory, project });
  return {
    sessions,
    async end() {
      disconnect();
      await held.end();
    },
  };
}

/** The approvals and the audit stay here, where the person is. */
async function withFleet(held: Held, { args, labels }: AgentFleet, meter: Meter | undefined): Promise<Held> {
  const [{ openFleetClient }, { fleetService }, { fleetMetrics }, { hostname }] = await Promise.all([
    import("../fleet/fleet-clients.ts"),
    import("../../fleet/door/fleet-service.ts"),
    import("../../fleet/door/fleet-metrics.ts"),
    import("node:os"),
  ]);
  // The project name contains this machine's name, because other machines may have a project at the same path.
  const door = openFleetClient(args, { project: `${hostname()}:${findProject(workingDirectory())}` });
  if (meter) {
    meter.add(() => fleetMetrics(door.knownHosts()));
    // The first call starts to follow the hosts.
    void door.hosts().catch(() => undefined);
  }
  return {
    sessions: fleetService({ door, labels, here: held.sessions }),
    async end() {
      await door.close();
      await held.end();
    },
  };
}

/** Loaded only here, because most people do not ask for it. */
async function withoutTokens(sessions: SessionService): Promise<SessionService> {
  const [{ TokenRedaction }, { redactedService }] = await Promise.all([
    import("../../safety/redaction/token-redaction.ts"),
    import("../../service/redaction/redacted-service.ts"),
  ]);
  return redactedService(sessions, new TokenRedaction());
}

/** Names only, never a value. */
function describeWithheld(names: readonly string[]): string {
  const shown = names
    .slice(0, MAX_NAMED)
    .map((name) => wordOrQuote(name))
    .join(", ");
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return `Withheld from programs, as they look like secrets: ${shown}${more}. A person can pass them on with env.pass in config.json`;
}
