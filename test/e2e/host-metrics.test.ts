/** What a monitoring program gets from a host and from an MCP server, read by a strict parser. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cli, openCli } from "../support/cli.ts";
import { MAIN } from "../support/mcp.ts";
import { type ReadFamily, readOpenMetrics } from "../support/read-open-metrics.ts";

let cli: Cli;
let host: ChildProcess;
let url: string;
const log: { readonly time: string; readonly pid: number; readonly message: string }[] = [];

beforeAll(async () => {
  cli = openCli();
  const words = [MAIN, "host", "run", "--metrics", "127.0.0.1:0", "--log", "json"];
  host = spawn(process.execPath, words, { env: { ...process.env, ...cli.env }, stdio: ["ignore", "ignore", "pipe"] });
  cli.closeFirst(host);
  for await (const line of createInterface({ input: host.stderr ?? process.stdin })) {
    log.push(JSON.parse(line));
    url = /metrics at (\S+)/.exec(line.replaceAll('"', " "))?.[1] ?? url;
    if (line.includes("host of")) break;
  }
});
afterAll(async () => {
  const ended = once(host, "exit");
  host.kill("SIGTERM");
  await ended;
  await cli[Symbol.asyncDispose]();
});

async function metrics(): Promise<ReadonlyMap<string, ReadFamily>> {
  return readOpenMetrics(await (await fetch(url)).text());
}

function sampleOf(families: ReadonlyMap<string, ReadFamily>, family: string, labels: Record<string, string> = {}) {
  const isMeant = (given: Readonly<Record<string, string>>) =>
    Object.entries(labels).every(([key, value]) => given[key] === value);
  return families.get(family)?.samples.find((sample) => isMeant(sample.labels))?.value;
}

test("every line of the log is an object with time, process and message", () => {
  expect(log.map(({ pid }) => pid)).toEqual(log.map(() => host.pid));
  expect(log.every(({ time }) => !Number.isNaN(Date.parse(time)))).toBe(true);
});

test("starts, states, output, turns and refusals are counted", async () => {
  const before = await metrics();

  const { stdout } = await cli.limpet(["start", "printf 1234567; exec sleep 600"]);
  await cli.limpet(["run", "true"]);
  const refused = await cli.limpet(["start", "--cwd", "/no/such/directory", "true"]);
  await expect.poll(async () => sampleOf(await metrics(), "limpet_output_bytes")).toBeGreaterThanOrEqual(7);
  const after = await metrics();

  expect(refused.code).not.toBe(0);
  expect(sampleOf(before, "limpet_session_starts")).toBe(0);
  expect(sampleOf(after, "limpet_session_starts")).toBe(2);
  expect(sampleOf(after, "limpet_sessions", { state: "running" })).toBe(1);
  expect(sampleOf(after, "limpet_refusals", { code: "DIRECTORY_NOT_FOUND" })).toBe(1);
  const turns = after.get("limpet_turn_seconds")?.samples.find(({ name }) => name.endsWith("_count"));
  expect(turns?.value).toBeGreaterThanOrEqual(1);
  expect(sampleOf(after, "limpet_clients")).toBeGreaterThanOrEqual(0);
  await cli.limpet(["kill", stdout.trim()]);
  await expect.poll(async () => sampleOf(await metrics(), "limpet_sessions", { state: "running" })).toBe(0);
});

test("only GET and HEAD of /metrics are answered", async () => {
  const got = await Promise.all([
    fetch(url, { method: "HEAD" }),
    fetch(url, { method: "POST" }),
    fetch(url.replace("/metrics", "/")),
    fetch(`${url}/../etc`),
  ]);

  expect(got.map(({ status }) => status)).toEqual([200, 405, 404, 404]);
  expect(got[0]?.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
});

test("an MCP server counts what its agents asked for", async () => {
  const words = [MAIN, "mcp", "--metrics", "127.0.0.1:0"];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: words,
    env: { ...process.env, ...cli.env } as Record<string, string>,
    stderr: "pipe",
  });
  const client = new Client({ name: "metrics-test", version: "1" });
  cli.closeFirst(client);
  let said = "";
  transport.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  await client.connect(transport);
  await client.callTool({ name: "run", arguments: { command: "true" } });

  await expect.poll(() => said).toMatch(/metrics at \S+\/metrics/);
  const [, door = ""] = /metrics at (\S+)/.exec(said) ?? [];
  const families = readOpenMetrics(await (await fetch(door)).text());
  await client.close();

  const count = families.get("limpet_turn_seconds")?.samples.find(({ name }) => name.endsWith("_count"));
  expect(count).toMatchObject({ labels: { kind: "run" } });
  expect(count?.value).toBeGreaterThanOrEqual(1);
});
