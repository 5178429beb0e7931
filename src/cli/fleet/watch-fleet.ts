/**
 * `limpet fleet status|drain|cordon|uncordon|events`: shows the hosts of a fleet, and sets whether they take sessions.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describeAge } from "../../base/format/describe-duration.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { FleetHost } from "../../fleet/door/fleet-directory.ts";
import type { FleetDoor } from "../../fleet/door/fleet-door.ts";
import type { Duty } from "../../fleet/registry/records.ts";
import type { Args } from "../args/command.ts";
import { isOn, listOf } from "../args/read-args.ts";
import { FAILED, OK } from "../exit-codes.ts";
import { print, printJson, writeJsonLines, writeText } from "../print/print.ts";
import { type Column, table } from "../print/table.ts";
import { openFleetClient } from "./fleet-clients.ts";

const COLUMNS: readonly Column[] = [
  { title: "HOST", maxWidth: 30 },
  { title: "STATE" },
  { title: "SESSIONS", align: "right" },
  { title: "LOAD", align: "right" },
  { title: "EPOCH", align: "right" },
  { title: "VERSION" },
  { title: "SEEN", align: "right" },
  { title: "LABELS" },
];
/** How often a drained host is asked whether its sessions have ended, and states are compared. */
const LOOK_EVERY_MS = 500;

const DUTIES: Readonly<Record<string, Duty>> = { drain: "draining", cordon: "cordoned", uncordon: "open" };

export type WatchAction = "status" | "drain" | "cordon" | "uncordon" | "events";

export async function watchFleet(action: WatchAction, args: Args): Promise<number> {
  const door = openFleetClient(args);
  try {
    if (action === "status") return await showStatus(door, args);
    if (action === "events") return await showEvents(door, args);
    return await setDuty(door, action, args);
  } finally {
    await door.close();
  }
}

async function showStatus(door: FleetDoor, args: Args): Promise<number> {
  const hosts = await door.askHosts();
  if (isOn(args, "json")) printJson(hosts);
  else if (hosts.length === 0) print("No hosts. Start one with: limpet host run --join URL --name NAME");
  else print(table(COLUMNS, hosts.map(rowOf), {}).join("\n"));
  return hosts.every(({ state }) => state !== "unreachable" && state !== "lost") ? OK : FAILED;
}

function rowOf({
  name,
  state,
  sessions,
  maxSessions,
  load,
  epoch,
  version,
  ageMs,
  lastSeenMs,
  labels,
}: FleetHost): readonly string[] {
  const isHere = state !== "unreachable" && state !== "lost";
  const seenMs = isHere || lastSeenMs === null ? ageMs : Date.now() - lastSeenMs;
  return [
    name,
    state,
    isHere ? `${sessions}/${maxSessions}` : `${sessions}?`,
    isHere ? load.toFixed(2) : "",
    String(epoch),
    version ?? "",
    // Numbers of a host that has just answered are not old.
    seenMs === null || seenMs === 0 ? "" : describeAge(seenMs),
    labels.join(" "),
  ];
}

async function setDuty(door: FleetDoor, action: string, args: Args): Promise<number> {
  const [host, ...more] = listOf(args, "words");
  if (host === undefined || more.length > 0)
    throw new LimpetError("BAD_OPTION", `limpet fleet ${action} needs one host. Use: limpet fleet ${action} HOST`);
  const duty = DUTIES[action] ?? "open";
  let sessions = await door.setDuty(host, duty);
  while (duty === "draining" && isOn(args, "wait") && sessions > 0) {
    await sleep(LOOK_EVERY_MS);
    sessions = (await door.clientOf(host).running()).length;
  }
  if (isOn(args, "json")) printJson({ host, duty, sessions });
  else print(describeDuty(host, duty, sessions));
  return OK;
}

function describeDuty(host: string, duty: Duty, sessions: number): string {
  if (duty === "open") return `${host} takes new sessions.`;
  const rest =
    sessions === 0
      ? "None is left there."
      : `${sessions} ${sessions === 1 ? "runs" : "run"} there: limpet ls --at ${host}`;
  return `${host} takes no new sessions. ${rest}`;
}

/** Prints the current state of each host, then one line for each change, until it is interrupted. */
async function showEvents(door: FleetDoor, args: Args): Promise<number> {
  const shown = new Map<string, string>();
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
  while (!stop.signal.aborted) {
    for (const { name, state, epoch } of await door.hosts()) {
      const now = `${state} ${epoch}`;
      if (shown.get(name) === now) continue;
      shown.set(name, now);
      const time = new Date().toISOString();
      const isRead = isOn(args, "json")
        ? await writeJsonLines([{ time, host: name, state, epoch }])
        : await writeText(`${time} ${name} ${state}, epoch ${epoch}\n`);
      if (!isRead) return OK;
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  }
  return OK;
}
