/** The clients that `limpet setup` knows, and how each lists its MCP servers. */
import { LimpetError } from "../../base/limpet-error.ts";
import { codexEntry, codexNotes } from "./codex-entry.ts";

export const CLIENTS = ["claude", "codex", "gemini", "cursor", "vscode", "windsurf", "opencode"] as const;
export type ClientName = (typeof CLIENTS)[number];

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface ClientConfig {
  readonly format: "json" | "toml";
  /** The path of the list of servers; of several, the deepest that exists, or else the first. */
  readonly lists: readonly (readonly string[])[];
  /** The entry of one server. */
  readonly entry: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** What else the entry sets, and why: one line each. */
  readonly notes: readonly string[];
}

export function requireClient(name: string): ClientName {
  const client = CLIENTS.find((candidate) => candidate === name);
  if (client) return client;
  throw new LimpetError("BAD_OPTION", `There is no client ${JSON.stringify(name)}. Use one of: ${CLIENTS.join(", ")}.`);
}

export function clientConfig(client: ClientName, { command, args }: ServerCommand): ClientConfig {
  const plain = { command, args };
  const json = { format: "json", lists: [["mcpServers"]], notes: [] } as const;
  switch (client) {
    case "claude":
      return { ...json, entry: { type: "stdio", ...plain } };
    case "codex":
      return { format: "toml", lists: [["mcp_servers"]], entry: codexEntry(plain), notes: codexNotes() };
    case "gemini":
    case "cursor":
    case "windsurf":
      return { ...json, entry: plain };
    case "vscode":
      return { ...json, lists: [["servers"]], entry: { type: "stdio", ...plain } };
    case "opencode":
      return {
        ...json,
        // Its second version keeps servers one level deeper.
        lists: [["mcp"], ["mcp", "servers"]],
        entry: { type: "local", command: [command, ...args], enabled: true },
      };
  }
}

/** What else the user must know if the entry is for one project. */
export function projectNotes(client: ClientName, { command }: ServerCommand): readonly string[] {
  return [
    ...(client === "claude" ? ["Claude Code asks you once in each project before it starts this server."] : []),
    ...(client === "codex" || client === "gemini"
      ? [`${client} reads this file only in projects that you trust.`]
      : []),
    ...(command === "limpet"
      ? []
      : [
          "The command names a file on this machine. If others use this project, install limpet globally and try again.",
        ]),
  ];
}
