/** The clients that `limpet setup` knows, and how each lists its MCP servers. */
import { LimpetError } from "../../base/limpet-error.ts";
import { codexEntry, codexNotes } from "./codex-entry.ts";
import { httpEntry, httpNotes, type ServerAddress } from "./http-entry.ts";

export const CLIENTS = ["claude", "codex", "gemini", "cursor", "vscode", "windsurf", "opencode"] as const;
export type ClientName = (typeof CLIENTS)[number];

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a client starts, or what it connects to. */
export type ClientServer = ServerCommand | ServerAddress;

export type ClientEntry = Readonly<
  Record<string, string | number | boolean | readonly string[] | Readonly<Record<string, string>>>
>;

export interface ClientConfig {
  readonly format: "json" | "toml";
  /** The path of the list of servers; of several, the deepest that exists, or else the first. */
  readonly lists: readonly (readonly string[])[];
  /** The entry of one server. */
  readonly entry: ClientEntry;
  /** Keys of the other kind of entry. An entry with such a key is replaced as a whole. */
  readonly others: readonly string[];
  /** What else the entry sets, and why: one line each. */
  readonly notes: readonly string[];
}

export function requireClient(name: string): ClientName {
  const client = CLIENTS.find((candidate) => candidate === name);
  if (client) return client;
  throw new LimpetError("BAD_OPTION", `Unknown client ${JSON.stringify(name)}. Use one of: ${CLIENTS.join(", ")}.`);
}

export function clientConfig(client: ClientName, server: ClientServer): ClientConfig {
  const format = client === "codex" ? "toml" : "json";
  const lists = LISTS[client] ?? [["mcpServers"]];
  if ("url" in server) {
    return { format, lists, entry: httpEntry(client, server), others: ["command"], notes: httpNotes(client, server) };
  }
  const others = ["url", "httpUrl", "serverUrl"];
  return { format, lists, entry: commandEntry(client, server), others, notes: client === "codex" ? codexNotes() : [] };
}

/** Default: `mcpServers`. */
const LISTS: Partial<Record<ClientName, ClientConfig["lists"]>> = {
  codex: [["mcp_servers"]],
  vscode: [["servers"]],
  // Its second version keeps servers one level deeper.
  opencode: [["mcp"], ["mcp", "servers"]],
};

function commandEntry(client: ClientName, { command, args }: ServerCommand): ClientEntry {
  const plain = { command, args };
  switch (client) {
    case "claude":
    case "vscode":
      return { type: "stdio", ...plain };
    case "codex":
      return codexEntry(plain);
    case "gemini":
    case "cursor":
    case "windsurf":
      return plain;
    case "opencode":
      return { type: "local", command: [command, ...args], enabled: true };
  }
}

/** What else the user must know if the entry is for one project. */
export function projectNotes(client: ClientName, server: ClientServer): readonly string[] {
  return [
    ...(client === "claude" ? ["Claude Code asks you once in each project before it starts this server."] : []),
    ...(client === "codex" || client === "gemini"
      ? [`${client} reads this file only in projects that you trust.`]
      : []),
    ...("url" in server || server.command === "limpet"
      ? []
      : [
          "The command names a file on this machine. If others use this project, install limpet globally and try again.",
        ]),
  ];
}
