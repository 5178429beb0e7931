/** The link to a place is cut at random moments: no command runs twice, no byte is lost or repeated. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { HostConnection } from "../../../src/host/client/host-connection.ts";
import { FAR_LINK } from "../../../src/host/client/link-rules.ts";
import { openLink } from "../../../src/places/link/open-link.ts";
import { placeOf } from "../../../src/places/place-address.ts";
import { waysTo } from "../../../src/places/ways-to.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { needs } from "../../support/needs.ts";
import { linkPids } from "../../support/places/link-pids.ts";
import { LINK_MS, type TestPlace, testPlace } from "../../support/places/place.ts";
import { sshPlace } from "../../support/places/ssh-place.ts";
import { errorOf, isLong, until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

// Several programs each, on a machine that does much else.
vi.setConfig({ testTimeout: 180_000 });

/** Of each of the two kinds of places. */
const CUTS = isLong ? 100 : 5;
const CALLER = "test";

/** Kills the link again and again, at moments that differ. Resolves with the number of cuts. */
async function cutUntil(done: () => boolean): Promise<number> {
  let cuts = 0;
  for (let n = 1; !done(); n += 1) {
    await sleep((n * 37) % 300);
    for (const pid of linkPids()) {
      process.kill(pid, "SIGKILL");
      cuts += 1;
    }
  }
  return cuts;
}

const places: Readonly<Record<string, () => Promise<TestPlace>>> = {
  "a command": async () => testPlace(),
  ssh: async () => await sshPlace(),
};

test.skipIf(!needs("sshd", "ssh-keygen")).each(Object.keys(places))(
  "over %s, commands whose link is cut run once, and their output is in the answer",
  async (kind) => {
    const place = await places[kind]?.();
    const client = place?.client() as HostClient;
    const log = join(temporaryDirectory(), "log");
    await client.running();
    await startSession(client, { command: "cat", shell: "/bin/sh" });
    const texts: (string | undefined)[] = [];
    let turns = 0;
    let cuts = 0;

    while (cuts < CUTS) {
      // A link that is cut before the turn has started is an error without an unknown outcome.
      await client.running();
      let isOver = false;
      const run = { command: `echo ${turns} >> ${log}; sleep 0.2; echo out ${turns}`, shell: "main" };
      const answering = client
        .turn({ caller: CALLER, on: { kind: "run", run: { ...run, fresh: { shell: "/bin/sh" } } } })
        .finally(() => {
          isOver = true;
        });
      let isCut = false;
      const cutting = cutUntil(() => isOver || isCut).then((count) => {
        cuts += count;
      });
      // One or two cuts for each turn, or no turn would ever end.
      await Promise.race([sleep(600), answering]);
      isCut = true;
      const answer = await answering;
      if (answer.receipt) client.acknowledge({ caller: CALLER, receipt: answer.receipt });
      await cutting;
      texts.push(answer.command?.output);
      turns += 1;
    }

    const numbers = Array.from({ length: turns }, (_, n) => n);
    expect(readFileSync(log, "utf8")).toBe(numbers.map((n) => `${n}\n`).join(""));
    expect(texts).toEqual(numbers.map((n) => `out ${n}\n`));
  },
  isLong ? 900_000 : 180_000,
);

test("a stream of output continues over cuts, without a gap and without a repeated byte", async () => {
  const client = testPlace().client();
  const folder = temporaryDirectory();
  // After each thousand lines it waits for another cut.
  const pause = `[ $((n%1000)) -gt 0 ] || until [ -e ${folder}/$((n/1000)) ]; do sleep 0.05; done`;
  const command = `n=0; while [ $n -lt 3000 ]; do echo $n; n=$((n+1)); ${pause}; done`;
  const { id } = await startSession(client, { command, shell: "/bin/sh" });
  let text = "";
  let cuts = 0;

  for await (const page of client.output(id, { from: 0 })) {
    text += Buffer.from(page.bytes).toString();
    // Each link that has delivered something is cut, until there were enough.
    for (const pid of cuts < CUTS ? linkPids() : []) {
      process.kill(pid, "SIGKILL");
      cuts += 1;
      writeFileSync(join(folder, String(cuts)), "");
    }
  }

  expect(cuts).toBeGreaterThanOrEqual(2);
  expect(text).toBe(Array.from({ length: 3000 }, (_, n) => `${n}\r\n`).join(""));
});

test("input whose link is cut before the answer has an unknown outcome, and is not repeated", async () => {
  const client = testPlace().client();
  const { id } = await startSession(client, { command: "stty -echo; exec cat > /dev/null", shell: "/bin/sh" });
  const pids = linkPids();
  for (const pid of pids) process.kill(pid, "SIGSTOP");

  const writing = errorOf(client.write(id, "text\n"));
  await sleep(50);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  const error = await writing;

  expect([error.code, error.message]).toEqual(["LINK_LOST", expect.stringContaining("its outcome is unknown")]);
  expect((await client.running()).map((session) => session.id)).toEqual([id]);
});

test("a link that is stopped, and says nothing, is noticed and closed", async () => {
  const { setting, client } = testPlace();
  await client().list({ ended: false });
  const before = new Set(linkPids());
  const stream = await openLink({
    place: "test",
    way: await waysTo(placeOf(setting, {}), temporaryDirectory()).next(),
    cache: temporaryDirectory(),
    mayStart: false,
  });
  if (!stream) throw new Error("No host runs.");
  // A busy host may take seconds to answer.
  const rules = { ...FAR_LINK, keepAlive: { everyMs: 500, maxMissed: 20 } };
  const connection = await HostConnection.open(stream, {}, rules);
  onTestFinished(() => connection.close());
  const pid = linkPids().find((found) => !before.has(found)) as number;

  await sleep(1_500);
  expect(connection.isClosed).toBe(false);
  process.kill(pid, "SIGSTOP");

  await expect.poll(() => connection.isClosed, { timeout: LINK_MS }).toBe(true);
  await until(() => !existsSync(`/proc/${pid}`), "the stopped command has ended");
});

test("after a client has disconnected, only the host is left at the place", async () => {
  const place = testPlace();
  const client = place.client();
  await client.list({ ended: false });
  const pids = linkPids();

  client.disconnect();

  expect(pids).toHaveLength(1);
  await until(() => linkPids().length === 0, "the link has ended");
  await until(async () => (await client.hostStatus())?.clients === 1, "the host knows of no other client", LINK_MS);
});
