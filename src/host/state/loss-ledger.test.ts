import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Loss, LossLedger, parsePlaces } from "./loss-ledger.ts";

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "limpet-losses-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "losses");
}

function loss(lostBytes: number): Loss {
  return { health: { kind: "degraded", lostBytes, atCursor: 5, reason: "ENOSPC" }, end: 5 + lostBytes };
}

test("the next host knows the latest loss of each session that it has", async () => {
  const path = place();
  const first = await LossLedger.open(path, []);
  first.note("/x/1-00000001", loss(1));
  first.note("/x/2-00000002", loss(2));
  first.note("/x/1-00000001", loss(100));
  await first.close();

  const second = await LossLedger.open(path, ["/x/1-00000001"]);
  await second.close();

  expect(second.of("/x/1-00000001")).toMatchObject(loss(100));
  expect(second.of("/x/2-00000002")).toBeUndefined();
});

test("the file keeps its size, whatever is noted, and the oldest entries give way", async () => {
  const path = place();
  const ledger = await LossLedger.open(path, []);
  const { size } = statSync(path);

  for (let n = 1; n <= 200; n += 1) ledger.note(`/x/${n}-00000000`, loss(n));
  await ledger.close();

  expect(statSync(path).size).toBe(size);
  expect(parsePlaces(readFileSync(path, "latin1")).filter((entry) => entry).length).toBe(64);
  expect(ledger.of("/x/200-00000000")).toMatchObject(loss(200));
});

test("a file with damaged places is read as far as it makes sense", async () => {
  const path = place();
  const ledger = await LossLedger.open(path, []);
  ledger.note("/x/1-00000001", loss(1));
  ledger.note("/x/2-00000002", loss(2));
  await ledger.close();
  writeFileSync(path, readFileSync(path, "latin1").replace('"lostBytes":1', '"lostBytes":"'));

  const next = await LossLedger.open(path, ["/x/1-00000001", "/x/2-00000002"]);
  await next.close();

  expect([next.of("/x/1-00000001"), next.of("/x/2-00000002")]).toMatchObject([undefined, loss(2)]);
});

test("without a place for its file it forgets, and does not fail", async () => {
  const ledger = await LossLedger.open("/proc/no/such/losses", []);

  ledger.note("/x/1-00000001", loss(1));
  await ledger.close();

  expect(ledger.of("/x/1-00000001")).toMatchObject(loss(1));
});
