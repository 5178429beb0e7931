/** Sessions that write each line that they receive to a file, so that a test can check what has run, and how often. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { until } from "../sessions.ts";
import type { FleetHostProcess } from "./fleet-host.ts";

export interface Ledger {
  readonly host: FleetHostProcess;
  readonly id: number;
  readonly file: string;
  readonly acknowledged: Set<string>;
}

const READ_MS = 30_000;

let count = 0;
/** A unique line. */
export const nextLine = (): string => {
  count += 1;
  return `line-${count}`;
};

export async function openLedger(door: FleetDoor, host: FleetHostProcess, folder: string): Promise<Ledger> {
  const file = join(folder, `${host.name}-${nextLine()}`);
  const command = `echo pid $$ > ${file}; while read line; do echo "$line" >> ${file}; echo "got $line"; done`;
  const { id } = await startSession(door.clientOf(host.name), { command, shell: "/bin/sh" });
  await until(() => existsSync(file), "the ledger is open");
  return { host, id, file, acknowledged: new Set() };
}

/** Types lines until the fault is over. What was not answered is unknown, and not typed again. */
export async function typeDuring(door: FleetDoor, ledger: Ledger, fault: Promise<void>): Promise<void> {
  let isOver = false;
  void fault.then(
    () => {
      isOver = true;
    },
    () => {
      isOver = true;
    },
  );
  do {
    // Does not wait forever for a host that never comes back.
    await Promise.race([typeLine(door, ledger).catch(() => undefined), fault.then(() => sleep(5_000))]);
  } while (!isOver);
}

/** Types one line, and rejects if it is not answered. */
export async function typeLine(door: FleetDoor, { host, id, acknowledged }: Ledger): Promise<void> {
  const text = nextLine();
  const { result } = await door.clientOf(host.name).turn({
    caller: "test",
    requestId: text,
    on: { kind: "session", key: id },
    input: { strokes: [{ kind: "text", text: `${text}\n` }] },
    wait: { kind: "output", until: `got ${text}\\b`, deadlineMs: 60_000 },
  });
  if (result?.reason !== "matched") throw new Error(`${text} was not answered: ${JSON.stringify(result)}`);
  acknowledged.add(text);
}

/** Waits until all hosts are up, no longer than a fleet may take. */
export async function allUp(door: FleetDoor, names: readonly string[], patienceMs: number): Promise<void> {
  let now = "";
  const areUp = async () => {
    const known = await door.hosts().catch(String);
    now = JSON.stringify(known);
    if (typeof known === "string") return false;
    return names.every((name) => known.find((host) => host.name === name)?.state === "up");
  };
  await until(areUp, () => `all hosts are up: ${now}`, patienceMs);
}

interface Claim {
  readonly door: FleetDoor;
  /** What happened, for messages. */
  readonly where: string;
  /** The process that it belongs to was killed. */
  readonly isLost: boolean;
}

/** Checks it, and closes it: no line ran twice, what was acknowledged is there, and nothing is left of its program. */
export async function requireTrue(ledger: Ledger, { door, where, isLost }: Claim): Promise<void> {
  const client = door.clientOf(ledger.host.name);
  const listed = (await client.list({ ended: true })).filter(({ id }) => id === ledger.id);
  const content = readFileSync(ledger.file, "utf8");
  const [, ...lines] = content.split("\n").slice(0, -1);

  expect(listed, where).toMatchObject([{ lost: isLost }]);
  expect(new Set(lines).size, `${where}: no line twice`).toBe(lines.length);
  const missing = [...ledger.acknowledged].filter((line) => !lines.includes(line));
  expect(missing, `${where}: none lost`).toEqual([]);
  const pid = Number(/pid (\d+)/.exec(content)?.[1]);
  if (!isLost) {
    expect(await unreadOf(ledger, door), `${where}: no acknowledged output is lost`).toEqual([]);
    await client.close(ledger.id, { force: true });
  }
  await until(() => !existsSync(`/proc/${pid}`), `${where}: its program is gone`);
}

/** What was acknowledged and cannot be read. */
async function unreadOf({ host, id, acknowledged }: Ledger, door: FleetDoor): Promise<readonly string[]> {
  const unread = new Set([...acknowledged].map((line) => `got ${line}`));
  let rest = "";
  if (unread.size === 0) return [];
  try {
    for await (const { bytes } of door.clientOf(host.name).output(id, { signal: AbortSignal.timeout(READ_MS) })) {
      const lines = `${rest}${Buffer.from(bytes).toString()}`.split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) unread.delete(line);
      if (unread.size === 0) break;
    }
  } catch {
    // It is not there.
  }
  return [...unread];
}
