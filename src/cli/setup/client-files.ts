/** Where each client keeps its list of MCP servers and the instructions for its agent. */
import { join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import type { ClientName } from "./clients.ts";

/** `user`: for all projects of the user. `project`: for one project and everybody who works on it. */
export const SCOPES = ["user", "project"] as const;
export type Scope = (typeof SCOPES)[number];

export interface ClientPlaces {
  readonly home: string;
  /** The root of the project. Called only in the scope of a project. */
  readonly project: () => string;
  /** `XDG_CONFIG_HOME`. Default: `.config` in the home directory. */
  readonly configHome?: string | undefined;
  /** `CODEX_HOME`. Default: `.codex` in the home directory. */
  readonly codexHome?: string | undefined;
  /** `CLAUDE_CONFIG_DIR`. Default: `.claude` in the home directory, but `.claude.json` beside it. */
  readonly claudeHome?: string | undefined;
}

interface ClientFiles {
  /** The list of servers: the first one that exists is used, or else the first. */
  readonly servers: readonly string[];
  /** The file in which the agent finds its instructions. */
  readonly instructions: string | undefined;
}

type FilesOfAll = Readonly<Record<ClientName, ClientFiles>>;

/** Never empty: a client that has no such file in this scope is refused. */
export function serverFiles(client: ClientName, scope: Scope, places: ClientPlaces): readonly string[] {
  const { servers } = filesIn(scope, places)[client];
  if (servers.length > 0) return servers;
  throw new LimpetError("BAD_OPTION", `${client} has no list of servers for one project. Use --scope user.`);
}

/** Undefined if the client has none for all projects. */
export function findInstructionsFile(client: ClientName, scope: Scope, places: ClientPlaces): string | undefined {
  return filesIn(scope, places)[client].instructions;
}

export function instructionsFile(client: ClientName, scope: Scope, places: ClientPlaces): string {
  const instructions = findInstructionsFile(client, scope, places);
  if (instructions !== undefined) return instructions;
  throw new LimpetError(
    "BAD_OPTION",
    `${client} has no file with instructions for all projects. Use --scope project, or paste them into its settings.`,
  );
}

function filesIn(scope: Scope, places: ClientPlaces): FilesOfAll {
  return scope === "user" ? userFiles(places) : projectFiles(places.project());
}

function userFiles(places: ClientPlaces): FilesOfAll {
  const { home, configHome = join(home, ".config"), codexHome = join(home, ".codex"), claudeHome } = places;
  const opencode = join(configHome, "opencode");
  const windsurf = join(home, ".codeium", "windsurf");
  return {
    claude: {
      servers: [join(claudeHome ?? home, ".claude.json")],
      instructions: join(claudeHome ?? join(home, ".claude"), "CLAUDE.md"),
    },
    codex: { servers: [join(codexHome, "config.toml")], instructions: join(codexHome, "AGENTS.md") },
    gemini: {
      servers: [join(home, ".gemini", "settings.json")],
      instructions: join(home, ".gemini", "GEMINI.md"),
    },
    cursor: { servers: [join(home, ".cursor", "mcp.json")], instructions: undefined },
    vscode: { servers: [join(configHome, "Code", "User", "mcp.json")], instructions: undefined },
    windsurf: {
      servers: [join(windsurf, "mcp_config.json")],
      instructions: join(windsurf, "memories", "global_rules.md"),
    },
    opencode: { servers: inOpencode(opencode), instructions: join(opencode, "AGENTS.md") },
  };
}

function projectFiles(project: string): FilesOfAll {
  const instructions = join(project, "AGENTS.md");
  return {
    claude: { servers: [join(project, ".mcp.json")], instructions: join(project, "CLAUDE.md") },
    codex: { servers: [join(project, ".codex", "config.toml")], instructions },
    gemini: { servers: [join(project, ".gemini", "settings.json")], instructions: join(project, "GEMINI.md") },
    cursor: { servers: [join(project, ".cursor", "mcp.json")], instructions },
    vscode: { servers: [join(project, ".vscode", "mcp.json")], instructions },
    windsurf: { servers: [], instructions },
    opencode: { servers: inOpencode(project), instructions },
  };
}

function inOpencode(directory: string): readonly string[] {
  return ["opencode.json", "opencode.jsonc"].map((name) => join(directory, name));
}
