/** An agent of `limpet mcp` under a policy, whose client can ask a person or not. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CallToolResult, Client, type ElicitResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "vitest";
import type { Approval } from "../../../src/service/approvals/approval.ts";
import { type Cli, openCli } from "../cli.ts";
import { type Era, MAIN, textOf } from "../mcp.ts";

export const ALLOW_ECHO = {
  rules: [
    { prefix: ["echo"], decision: "allow" },
    { prefix: ["rm"], decision: "deny" },
  ],
};

export interface Question {
  readonly message: string;
  readonly choices: readonly string[];
}

export type Answer = (question: Question) => ElicitResult | Promise<ElicitResult>;

export interface Agent {
  readonly client: Client;
  /** The text of an answer. */
  run(command: string, options?: { readonly signal?: AbortSignal }): Promise<string>;
  call(name: string, args: Record<string, unknown>): Promise<string>;
}

interface AgentOptions {
  readonly era?: Era;
  /** Undefined: the client cannot ask. */
  readonly answer?: Answer;
  readonly args?: readonly string[];
}

/** With a policy, and `limpet mcp` in the folder of the test. */
export function openWith(policy: object = ALLOW_ECHO, config: object = {}): Cli {
  const cli = openCli();
  const folder = join(cli.folder, "config", "limpet");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "policy.json"), JSON.stringify(policy, null, 2));
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  return cli;
}

export async function agentOf(cli: Cli, { era = "legacy", answer, args = [] }: AgentOptions = {}): Promise<Agent> {
  const client = new Client(
    { name: "an-agent", version: "1.0.0" },
    {
      capabilities: answer ? { elicitation: {} } : {},
      versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: era } },
    },
  );
  if (answer) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const { message, requestedSchema } = params as unknown as {
        readonly message: string;
        readonly requestedSchema: {
          readonly properties: { readonly decision: { readonly oneOf: { const: string }[] } };
        };
      };
      return await answer({ message, choices: requestedSchema.properties.decision.oneOf.map((each) => each.const) });
    });
  }
  const env = { ...process.env, ...cli.env } as Record<string, string>;
  const command = { command: process.execPath, args: [MAIN, "mcp", ...args], env, cwd: cli.folder };
  await client.connect(new StdioClientTransport(command));
  cli.closeFirst(client);
  const call = async (name: string, given: Record<string, unknown>, options = {}) =>
    textOf((await client.callTool({ name, arguments: given }, options)) as CallToolResult);
  return { client, call, run: (given, options) => call("run", { command: given }, options) };
}

/** The only one. */
export async function openApproval(cli: Cli): Promise<Approval> {
  await expect.poll(async () => (await cli.sessions.approvals.list()).length).toBe(1);
  const [open] = await cli.sessions.approvals.list();
  return open as Approval;
}

/** The answer of a person who decides so. */
export const decide = (decision: string): ElicitResult => ({ action: "accept", content: { decision } });
