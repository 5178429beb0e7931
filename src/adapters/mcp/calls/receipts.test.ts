import { expect, test } from "vitest";
import type { SessionService } from "../../../service/session-service.ts";
import type { Receipt } from "../../../service/turn/receipt.ts";
import { Receipts } from "./receipts.ts";

const receipt = { session: 1 } as unknown as Receipt;

/** What was acknowledged and what was given back, in order. */
function receiptsFor({ ignoresLateCancel = false } = {}) {
  const done: string[] = [];
  const sessions = {
    acknowledge: () => done.push("acknowledged"),
    giveBack: () => done.push("given back"),
  } as unknown as SessionService;
  return { done, receipts: new Receipts({ sessions, caller: () => "me", ignoresLateCancel: () => ignoresLateCancel }) };
}

function cancel(requestId: number) {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } } as const;
}

test("output is acknowledged when its answer is delivered", () => {
  const { done, receipts } = receiptsFor();

  receipts.start(1);
  receipts.expect(1, receipt);
  expect(done).toEqual([]);
  receipts.delivered(1);

  expect(done).toEqual(["acknowledged"]);
});

test("a cancelled call gives its output back, before the answer and while the answer is on its way", () => {
  const { done, receipts } = receiptsFor();

  receipts.start(1);
  receipts.expect(1, receipt);
  receipts.note(cancel(1));
  receipts.start(2);
  receipts.expect(2, receipt);
  receipts.delivered(2);
  receipts.note(cancel(2));

  expect(done).toEqual(["given back", "acknowledged", "given back"]);
});

test("output whose answer was used before the next call is not given back", () => {
  const { done, receipts } = receiptsFor();

  receipts.start(1);
  receipts.expect(1, receipt);
  receipts.delivered(1);
  receipts.start(2);
  receipts.note(cancel(1));

  expect(done).toEqual(["acknowledged"]);
});

test("a client that cancels every call after its answer sees output once", () => {
  const { done, receipts } = receiptsFor({ ignoresLateCancel: true });

  receipts.start(1);
  receipts.expect(1, receipt);
  receipts.delivered(1);
  receipts.note(cancel(1));
  receipts.start(2);
  receipts.expect(2, receipt);
  receipts.note(cancel(2));

  expect(done).toEqual(["acknowledged", "given back"]);
});

test("an answer that was sent and lost can be delivered again, or is given back", () => {
  const { done, receipts } = receiptsFor();
  receipts.start(1);
  receipts.expect(1, receipt);

  receipts.lost(1, receipts.delivered(1));
  receipts.lost(1, receipts.delivered(1));
  receipts.cancelled(1);

  expect(done).toEqual(["acknowledged", "acknowledged", "given back"]);
});

test("when the client is gone, everything that it has not received is given back", () => {
  const { done, receipts } = receiptsFor();
  for (const id of [1, 2, 3]) {
    receipts.start(id);
    receipts.expect(id, receipt);
  }

  receipts.delivered(2);
  receipts.close();
  receipts.close();

  expect(done).toEqual(["acknowledged", "given back", "given back"]);
});
