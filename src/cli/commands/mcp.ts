import type { ChannelOptions } from "../../adapters/mcp/events/session-channel.ts";
import { serveMcp } from "../../adapters/mcp/serve-mcp.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Args, Command } from "../args/command.ts";
import { limitArgs, limitsOf } from "../args/limit-args.ts";
import { durationOf, isOn, listOf, textOf, wholeOf } from "../args/read-args.ts";
import { sandboxArgs, sandboxOf } from "../args/sandbox-args.ts";
import { eventKinds } from "../events/event-kinds.ts";
import { natsArgs } from "../fleet/nats-args.ts";
import { type AgentFleet, openAgentServer } from "../mcp/open-agent-server.ts";
import { printError } from "../print/print.ts";
import { type McpSettings, mcpSettings } from "../settings/settings.ts";

export const mcp: Command = {
  name: "mcp",
  description: "Serve the tools to MCP clients: to one over stdin and stdout, or to several over HTTP.",
  args: {
    http: { type: "boolean", description: "Serve clients with a token over HTTP, on a port of this machine" },
    port: { type: "string", hint: "N", description: "With --http: the port. Default: any that is free" },
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
      description: "Answer every call within this time. Default: less than the time limit of the client",
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
    at: { type: "string", hint: "fleet[:LABELS]", description: "Run the sessions on hosts of a fleet" },
    ...natsArgs,
    metrics: {
      type: "string",
      hint: "[ADDRESS:]PORT",
      description: "Serve metrics for Prometheus at http://ADDRESS:PORT/metrics. Default: off",
    },
    state: { type: "string", hint: "DIR", description: "The host's directory. Default: $LIMPET_HOME" },
  },
  examples: [
    "limpet mcp",
    "limpet mcp --tools codex",
    "limpet mcp --in-process",
    "limpet mcp --sandbox workspace",
    "limpet mcp --max-wait 290",
    "limpet mcp --http --port 8717",
    "limpet mcp --at fleet:gpu",
  ],
  async run(args) {
    const settings = mcpSettings({
      tools: textOf(args, "tools"),
      state: textOf(args, "state"),
      caller: textOf(args, "caller"),
      isInProcess: isOn(args, "in-process"),
      isStructured: isOn(args, "structured"),
      maxWaitMs: durationOf(args, "max-wait"),
      sandbox: sandboxOf(args),
      limits: limitsOf(args),
      metrics: textOf(args, "metrics"),
    });
    const port = wholeOf(args, "port", { min: 0, max: 65_535 });
    if (!isOn(args, "http")) {
      if (port !== undefined)
        throw new LimpetError("BAD_OPTION", "--port needs --http. Add --http, or leave --port out.");
      return await serve(settings, { channel: channelOf(args), fleet: fleetOf(args) });
    }
    refuseWithHttp(args);
    // Loaded only here: a server over stdin must answer soon.
    const { serveHttp } = await import("../mcp/serve-http.ts");
    await serveHttp(settings, port ?? 0, fleetOf(args));
  },
};

/** What belongs to one client. */
function refuseWithHttp(args: Args): void {
  for (const name of ["caller", "channel"] as const) {
    if (textOf(args, name) === undefined) continue;
    const why =
      name === "caller" ? "With --http, a caller has the name of its token." : "Channels need stdin and stdout.";
    throw new LimpetError("BAD_OPTION", `${why} Leave out --${name}, or --http.`);
  }
}

/** Undefined: no events are pushed. */
function channelOf(args: Args): ChannelOptions | undefined {
  const kinds = textOf(args, "channel");
  if (kinds === undefined) return undefined;
  const sessions = listOf(args, "channel-session");
  return { kinds: eventKinds(kinds), ...(sessions.length === 0 ? {} : { sessions }) };
}

/** Undefined: the sessions run here, and at the places that the person has named. */
function fleetOf(args: Args): AgentFleet | undefined {
  const at = textOf(args, "at");
  if (at === undefined) return undefined;
  const [isFleet, labels] = /^fleet(?::(.+))?$/s.exec(at) ?? [];
  if (isFleet === undefined)
    throw new LimpetError("BAD_OPTION", `--at is ${JSON.stringify(at)}. Use --at fleet, or --at fleet:LABELS.`);
  return { args, labels };
}

interface Serving {
  readonly channel: ChannelOptions | undefined;
  readonly fleet: AgentFleet | undefined;
}

async function serve(settings: McpSettings, { channel, fleet }: Serving): Promise<void> {
  const { options, end } = await openAgentServer(settings, { fleet });
  const connection = serveMcp({
    ...options,
    ...(channel ? { channel } : {}),
    // The same client continues under its name. The host distinguishes several at once.
    caller: settings.caller ?? ((client = "mcp") => client),
    onError: (error) => printError(`limpet mcp: ${error.message}`),
  });
  await connection.closed;
  await end();
}
