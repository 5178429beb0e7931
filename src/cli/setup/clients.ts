/** Where each client keeps its list of MCP servers, and in which format. */
import { join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";

export const CLIENTS = ["claude", "codex", "gemini", "cursor", "vscode", "windsurf", "opencode"] as const;
export type ClientName = (typeof CLIENTS)[number];

export interface ClientDirectories {
  readonly home: string;
  /** `XDG_CONFIG_HOME`. Default: `.config` in the home directory. */
  readonly configHome?: string | undefined;
  /** `CODEX_HOME`. Default: `.codex` in the home directory. */
  readonly codexHome?: string | undefined;
}

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface ClientConfig {
  /** The first one that exists is used, or else the first. */
  readonly files: readonly string[];
  readonly format: "json" | "toml";
  /** The path of the list of servers; of several, the deepest that exists, or else the first. */
  readonly lists: readonly (readonly string[])[];
  /** The entry of one server. */
  readonly entry: Readonly<Record<string, string | boolean | readonly string[]>>;
}

export function requireClient(name: string): ClientName {
  const client = CLIENTS.find((candidate) => candidate === name);
  if (client) return client;
  throw new LimpetError("BAD_OPTION", `There is no client ${JSON.stringify(name)}. Use one of: ${CLIENTS.join(", ")}.`);
}

export function clientConfig(
  client: ClientName,
  places: ClientDirectories,
  { command, args }: ServerCommand,
): ClientConfig {
  const { home, configHome = join(home, ".config"), codexHome = join(home, ".codex") } = places;
  const plain = { command, args };
  const json = { format: "json", lists: [["mcpServers"]] } as const;
  switch (client) {
    case "claude":
      return { ...json, files: [join(home, ".claude.json")], entry: { type: "stdio", ...plain } };
    case "codex":
      return { files: [join(codexHome, "config.toml")], format: "toml", lists: [["mcp_servers"]], entry: plain };
    case "gemini":
      return { ...json, files: [join(home, ".gemini", "settings.json")], entry: plain };
    case "cursor":
      return { ...json, files: [join(home, ".cursor", "mcp.json")], entry: plain };
    case "vscode":
      return {
        files: [join(configHome, "Code", "User", "mcp.json")],
        format: "json",
        lists: [["servers"]],
        entry: { type: "stdio", ...plain },
      };
    case "windsurf":
      return { ...json, files: [join(home, ".codeium", "windsurf", "mcp_config.json")], entry: plain };
    case "opencode":
      return {
        files: ["opencode.json", "opencode.jsonc"].map((name) => join(configHome, "opencode", name)),
        format: "json",
        // Its second version keeps servers one level deeper.
        lists: [["mcp"], ["mcp", "servers"]],
        entry: { type: "local", command: [command, ...args], enabled: true },
      };
  }
}
