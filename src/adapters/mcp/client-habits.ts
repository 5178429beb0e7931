/**
 * What a server must know about its client, by the name that the client gives in `clientInfo`. Measured by driving each
 * client; `npm run test:clients` drives them again. Pure.
 */
import type { Message } from "./read-message.ts";

export interface ClientHabits {
  /** How long the client waits for the answer to a call. */
  readonly patienceMs: number;
  /** A progress report starts that time again. */
  readonly isRenewedByProgress: boolean;
  /** The client also cancels calls whose answer it has used. */
  readonly cancelsAnswered: boolean;
}

/** The MCP SDK's own limit, which applies unless a client sets another. */
const OTHERS: ClientHabits = { patienceMs: 60_000, isRenewedByProgress: true, cancelsAnswered: false };

const CLIENTS: ReadonlyMap<string, ClientHabits> = new Map([
  // Sends a progress token with every call, but gives up after `tool_timeout_sec` all the same.
  ["codex-mcp-client", { ...OTHERS, patienceMs: 300_000, isRenewedByProgress: false }],
  // Makes up its own progress tokens, which its MCP library does not know: the reports are ignored.
  ["gemini-cli-mcp-client", { ...OTHERS, patienceMs: 600_000, isRenewedByProgress: false }],
  // Nearly 28 hours, unless the person has set MCP_TOOL_TIMEOUT.
  ["claude-code", { ...OTHERS, patienceMs: 100_000_000, isRenewedByProgress: false }],
  // Aborts the signal of each step when the step is done, which its MCP library reports as a cancelled call.
  ["opencode", { ...OTHERS, cancelsAnswered: true }],
]);

const CLIENT_FIELD = "io.modelcontextprotocol/clientInfo";

export function habitsOf(name: string | undefined): ClientHabits {
  return CLIENTS.get(name ?? "") ?? OTHERS;
}

/** The client's name in this message: in `initialize`, or in any request of the protocol of 2026. */
export function clientNameOf({ method, params }: Message): string | undefined {
  const meta = params?.["_meta"];
  const info = method === "initialize" ? params?.["clientInfo"] : isObject(meta) ? meta[CLIENT_FIELD] : undefined;
  const name = isObject(info) ? info["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
