import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ChannelOptions } from "../../adapters/mcp/events/session-channel.ts";
import { serveMcp } from "../../adapters/mcp/serve-mcp.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import { connectHost } from "../../host/client/connect-host.ts";
import { findProject } from "../../service/owners/find-project.ts";
import type { SessionService } from "../../service/session-service.ts";
import { wordOrQuote } from "../../text/clean/quote-line.ts";
import { profileLimits } from "../../tools/profile-limits.ts";
import type { Args, Command } from "../args/command.ts";
import { limitArgs, limitsOf } from "../args/limit-args.ts";
import { durationOf, isOn, listOf, textOf } from "../args/read-args.ts";
import { sandboxArgs, sandboxOf } from "../args/sandbox-args.ts";
import { eventKinds } from "../events/event-kinds.ts";
import { printError } from "../print/print.ts";
import { agentEnv, auditSetting, type McpSettings, mcpSettings } from "../settings/settings.ts";

/** The client has disconnected, so programs get only a short grace period. */
const GRACE_MS = 400;
/** A line of an answer has room for these. */
const MAX_NAMED = 20;

export const mcp: Command = {
  name: "mcp",
  description: "Serve the tools to an MCP client over stdin and stdout.",
  args: {
    tools: { type: "string", hint: "all|codex|unified", description: "Which tools to offer. Default: all" },
    "in-process": {
      type: "boolean",
      description: "Keep sessions in this process; they end when the client disconnects",
    },
    structured: {
      type: "boolean",
      description: "Also answer with structured content, for clients that parse answers",
    },
    caller: {
      type: "string",
      hint: "NAME",
      description: "Continue as this caller, with its shell and its unread output. Default: the client's name",
    },
    "max-wait": {
      type: "string",
      hint: "SECONDS",
      description: "Answer every call within this time. Default: before the client gives up, by its name",
    },
    channel: {
      type: "string",
      hint: "KINDS",
      description: "Push these events into the conversation of Claude Code, such as waiting,exited. Default: none",
    },
    "channel-session": {
      type: "string",
      isList: true,
      hint: "ID",
      description: "With --channel: only events of this session; may be repeated",
    },
    ...sandboxArgs,
    ...limitArgs,
    state: { type: "string", hint: "DIR", description: "The host's directory. Default: $LIMPET_HOME" },
  },
  examples: [
    "limpet mcp",
    "limpet mcp --tools codex",
    "limpet mcp --in-process",
    "limpet mcp --sandbox workspace",
    "limpet mcp --max-wait 290",
  ],
  run: (args) =>
    serve(
      mcpSettings({
        tools: textOf(args, "tools"),
        state: textOf(args, "state"),
        caller: textOf(args, "caller"),
        isInProcess: isOn(args, "in-process"),
        isStructured: isOn(args, "structured"),
        maxWaitMs: durationOf(args, "max-wait"),
        sandbox: sandboxOf(args),
        limits: limitsOf(args),
      }),
      channelOf(args),
    ),
};

type Env = Readonly<Record<string, string>>;

interface Held {
  readonly sessions: SessionService;
  /** The client has disconnected. */
  end(): Promise<void>;
}

/** Undefined: no events are pushed. */
function channelOf(args: Args): ChannelOptions | undefined {
  const kinds = textOf(args, "channel");
  if (kinds === undefined) return undefined;
  const sessions = listOf(args, "channel-session");
  return { kinds: eventKinds(kinds), ...(sessions.length === 0 ? {} : { sessions }) };
}

async function serve(settings: McpSettings, channel: ChannelOptions | undefined): Promise<void> {
  const { profile, caller, isStructured, maxWaitMs, sandbox, limits } = settings;
  const { env, withheld } = agentEnv();
  const held = await withPlaces(
    settings.isInProcess ? await holdHere(settings, env) : reachHost(settings, env),
    settings,
  );
  const connection = serveMcp({
    sessions: settings.redactsTokens ? await withoutTokens(held.sessions) : held.sessions,
    places: Object.keys(settings.places),
    ...(withheld.length > 0 ? { notice: describeWithheld(withheld) } : {}),
    profile,
    ...(channel ? { channel } : {}),
    structured: isStructured,
    // The same client continues under its name. The host tells several at once apart.
    caller: caller ?? ((client = "mcp") => client),
    ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
    sandbox,
    programLimits: limits,
    policy: settings.policy,
    onError: (error) => printError(`limpet mcp: ${error.message}`),
  });
  await connection.closed;
  await held.end();
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
  const registry = new SessionRegistry({
    ...profileLimits[profile],
    defaults: { baseEnv: env, stateDirectory, redaction: known },
  });
  const mode = auditSetting();
  // Beside that of the host: a user who has never had one has no audit.
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
