/** `limpet fleet journal HOST[/ID]`: what was copied of the sessions of a host that is gone. */
import { describeExit } from "../../base/exit.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { FleetDirectory, type FleetHost } from "../../fleet/door/fleet-directory.ts";
import { CopiedJournal, copiedSessions } from "../../fleet/journals/copied-journal.ts";
import { type CopyRecord, describeMissing } from "../../fleet/journals/copy-record.ts";
import { type JournalKey, readJournalKey } from "../../fleet/journals/journal-key.ts";
import type { Bus } from "../../fleet/nats/bus.ts";
import { requireFleetName } from "../../fleet/subjects.ts";
import { cleanLines } from "../../library/clean-lines.ts";
import type { Args } from "../args/command.ts";
import { isOn, listOf, textOf } from "../args/read-args.ts";
import { FAILED, OK } from "../exit-codes.ts";
import { print, printError, printJson, writeText } from "../print/print.ts";
import { table } from "../print/table.ts";
import { visible, visibleLine } from "../print/visible.ts";
import { withBus } from "./with-bus.ts";

export async function showJournal(args: Args): Promise<number> {
  const [address = "", ...more] = listOf(args, "words");
  const [host = "", id, ...rest] = address.split("/");
  const keyFile = textOf(args, "journal-key");
  if (keyFile === undefined || more.length > 0 || rest.length > 0 || (id !== undefined && !/^\d{1,15}$/.test(id)))
    throw new LimpetError(
      "BAD_OPTION",
      "limpet fleet journal needs a host or a session, and the key of the fleet. " +
        "Use: limpet fleet journal HOST/ID --journal-key FILE",
    );
  requireFleetName(host, "The name of the host");
  const key = readJournalKey(keyFile);
  return await withBus(args, (bus) =>
    id === undefined ? list(bus, { key, host, args }) : show(bus, { key, host, id: Number(id) }),
  );
}

interface ListRequest {
  readonly key: JournalKey;
  readonly host: string;
  readonly args: Args;
}

async function list(bus: Bus, { key, host, args }: ListRequest): Promise<number> {
  const sessions = await copiedSessions(bus, host);
  const journals = await Promise.all(
    sessions.map(async (session) => ({ session, journal: await CopiedJournal.open(bus, key, session) })),
  );
  const known = await knownHost(bus, host);
  const found = journals.flatMap(({ session, journal }) => {
    if (!journal) return [];
    const { record, keptFrom } = journal;
    return [{ ...session, ...record, state: stateOf({ ...session, ...record }, known), keptFrom }];
  });
  if (isOn(args, "json")) printJson(found);
  else if (found.length === 0) print(`Nothing of ${host} can be read with this key.`);
  else {
    const titles = ["ID", "EPOCH", "STATE", "NAME", "BYTES", "PROGRAM"];
    const columns = titles.map((title) => ({ title }));
    const rows = found.map(({ id, epoch, state, name, copiedBytes, program }) => [
      `${host}/${id}`,
      String(epoch),
      state,
      visibleLine(name ?? ""),
      String(copiedBytes),
      visibleLine(program),
    ]);
    print(table(columns, rows).join("\n"));
  }
  return OK;
}

async function knownHost(bus: Bus, name: string): Promise<FleetHost | undefined> {
  const directory = await FleetDirectory.open(bus);
  directory.close();
  return directory.find(name);
}

/** The exit if it was copied; otherwise the state of the host decides. Pure. */
function stateOf({ epoch, exit }: Pick<CopyRecord, "exit"> & { readonly epoch: number }, host?: FleetHost): string {
  if (exit !== null) return describeExit(exit);
  if (!host || epoch < host.epoch || host.state === "lost") return "lost";
  return host.state === "unreachable" ? "unreachable" : "running";
}

interface ShowRequest {
  readonly key: JournalKey;
  readonly host: string;
  readonly id: number;
}

/** A host never reuses an id, so host and id identify one session. */
async function show(bus: Bus, { key, host, id }: ShowRequest): Promise<number> {
  const session = (await copiedSessions(bus, host)).findLast((one) => one.id === id);
  const journal = session && (await CopiedJournal.open(bus, key, session));
  if (!journal) {
    printError(`Nothing of ${host}/${id} can be read with this key. See limpet fleet journal ${host}`);
    return FAILED;
  }
  for await (const line of cleanLines(pagesOf(journal), {})) if (!(await writeText(`${visible(line)}\n`))) return OK;
  printError(describeMissing(journal.record, journal.keptFrom));
  return OK;
}

async function* pagesOf(journal: CopiedJournal) {
  let cursor = 0;
  for (;;) {
    const page = await journal.read(cursor);
    if (page.bytes.length === 0) return;
    yield page;
    cursor = page.next;
  }
}
