/** The entry of a server that a client reaches over HTTP. No token is in it: each client reads that from a variable. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { ClientEntry, ClientName } from "./clients.ts";

export interface ServerAddress {
  readonly url: string;
  /** The environment variable that has the token. */
  readonly variable: string;
}

/** Where `limpet mcp --http` and `limpet web` serve MCP. */
const PATH = "/mcp";

export function httpEntry(client: ClientName, { url, variable }: ServerAddress): ClientEntry {
  const bearer = (reference: string) => ({ Authorization: `Bearer ${reference}` });
  switch (client) {
    case "claude":
      return { type: "http", url, headers: bearer(`\${${variable}}`) };
    case "codex":
      return { url, bearer_token_env_var: variable, default_tools_approval_mode: "approve" };
    case "gemini":
      return { httpUrl: url, headers: bearer(`\${${variable}}`) };
    case "cursor":
      return { url, headers: bearer(`\${env:${variable}}`) };
    case "vscode":
      return { type: "http", url, headers: bearer(`\${env:${variable}}`) };
    case "windsurf":
      return { serverUrl: url, headers: bearer(`\${env:${variable}}`) };
    case "opencode":
      return { type: "remote", url, headers: bearer(`{env:${variable}}`), oauth: false, enabled: true };
  }
}

export function httpNotes(client: ClientName, { url, variable }: ServerAddress): readonly string[] {
  return [
    `The file has no token. Start ${client} with it: export ${variable}=$(limpet token create ${client})`,
    `${new URL(url).host} must be running: see limpet mcp --http --port N, or limpet web --port N.`,
    ...(client === "codex"
      ? [
          'default_tools_approval_mode "approve" lets the agent use terminals without asking you. Use "prompt" to be asked.',
        ]
      : []),
  ];
}

/** The address with the path of MCP. A token must not cross a network unencrypted. */
export function requireServerUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new LimpetError(
      "BAD_OPTION",
      `--http is ${JSON.stringify(given)}. Give the address that limpet mcp --http has printed.`,
    );
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new LimpetError("BAD_OPTION", "--http is more than an address. Leave out user names, passwords, ? and #.");
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new LimpetError(
      "BAD_OPTION",
      `--http would send a token to ${url.host} unencrypted. Use https, or forward a port with ssh -L.`,
    );
  }
  return url.pathname === "/" ? `${url.origin}${PATH}` : url.href;
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(name);
}
