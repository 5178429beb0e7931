import { withTimeout } from "../../../base/async/with-timeout.ts";
import type { HostClient } from "../../../host/client/host-client.ts";
import type { Command } from "../../args/command.ts";
import { jsonArg } from "../../args/common-args.ts";
import { isOn, listOf } from "../../args/read-args.ts";
import { noAnswerIn, placePatienceMs } from "../../place-patience.ts";
import { print, printJson } from "../../print/print.ts";
import { ProgressLine } from "../../print/progress-line.ts";
import { type Column, table } from "../../print/table.ts";
import { placesSetting } from "../../settings/settings.ts";
import { clientAt } from "../../with-host.ts";

/** How often the progress line shows who has not answered. */
const PROGRESS_MS = 250;
const COLUMNS: readonly Column[] = [
  { title: "PLACE", maxWidth: 30 },
  { title: "STATE" },
  { title: "VERSION" },
  { title: "SESSIONS", align: "right" },
  { title: "LATENCY", align: "right" },
  { title: "PROBLEM" },
];

interface PlaceReport {
  readonly place: string;
  /** `idle`: it can be reached, and no host runs there. `silent`: it has not answered in time, and may be slow. */
  readonly state: "running" | "idle" | "silent" | "unreachable";
  readonly version: string | null;
  readonly sessions: number | null;
  /** The duration of one request over an open link. */
  readonly latencyMs: number | null;
  readonly problem: string | null;
}

export const places: Command = {
  name: "places",
  description: "Show the places of config.json: whether each can be reached, and what runs there. Starts no host.",
  args: {
    place: { type: "positional", isOptional: true, isList: true, description: "Only these: names, or addresses" },
    ...jsonArg(),
  },
  examples: ["limpet places", "limpet places ssh:build --json"],
  async run(args) {
    const given = listOf(args, "place");
    const names = given.length > 0 ? given : Object.keys(placesSetting());
    const reports = await reportAll(names);
    if (isOn(args, "json")) printJson(reports);
    else if (reports.length === 0)
      print('No places. Add them to config.json: "places": { "build": { "ssh": "me@build" } }');
    else print(table(COLUMNS, reports.map(rowOf), {}).join("\n"));
    return reports.every(({ state }) => state === "running" || state === "idle") ? 0 : 1;
  },
};

/** Asks all places at once. The progress line names those that have not answered. */
async function reportAll(names: readonly string[]): Promise<readonly PlaceReport[]> {
  const missing = new Set(names);
  const line = new ProgressLine();
  const telling = setInterval(() => line.tell(() => `Waiting for ${[...missing].join(", ")} …`), PROGRESS_MS);
  try {
    return await Promise.all(names.map((name) => reportOf(name).finally(() => missing.delete(name))));
  } finally {
    clearInterval(telling);
    line.end();
  }
}

async function reportOf(place: string): Promise<PlaceReport> {
  const client = await clientAt(place, { asks: "nobody" });
  const unreachable = (problem: string): PlaceReport => ({ ...UNKNOWN, place, problem });
  const patienceMs = placePatienceMs();
  try {
    const asked = ask(client, place).catch((error: Error) => unreachable(error.message));
    const answer = await withTimeout(patienceMs, asked);
    return answer ?? { ...UNKNOWN, place, state: "silent", problem: noAnswerIn(patienceMs) };
  } finally {
    client.disconnect();
  }
}

const UNKNOWN = { state: "unreachable", version: null, sessions: null, latencyMs: null, problem: null } as const;

async function ask(client: HostClient, place: string): Promise<PlaceReport> {
  const status = await client.hostStatus();
  if (!status) return { ...UNKNOWN, place, state: "idle" };
  // Opens the link, and then measures it.
  await client.running();
  const startedMs = performance.now();
  await client.running();
  const latencyMs = Math.round((performance.now() - startedMs) * 10) / 10;
  return { place, state: "running", version: status.version, sessions: status.sessions, latencyMs, problem: null };
}

function rowOf({ place, state, version, sessions, latencyMs, problem }: PlaceReport): readonly string[] {
  const latency = latencyMs === null ? "" : `${latencyMs} ms`;
  return [place, state, version ?? "", sessions === null ? "" : String(sessions), latency, problem ?? ""];
}
