import { expect, test } from "vitest";
import { Admission } from "./admission.ts";

const request = (id: number, method = "tools/list", params: Record<string, unknown> = {}) =>
  ({ jsonrpc: "2.0", id, method, params }) as const;

test("nothing passes before initialize but what opens a connection", () => {
  const admission = new Admission();

  expect(admission.admit(request(1))?.message).toContain("Send initialize first");
  expect(admission.admit(request(2, "ping"))).toBeUndefined();
  expect(admission.admit(request(3, "initialize"))).toBeUndefined();
  expect(admission.admit(request(4))).toBeUndefined();
});

test("a request that says its own protocol needs no initialize", () => {
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };

  expect(new Admission().admit(request(1, "tools/list", { _meta }))).toBeUndefined();
});

test.each([
  ["answered", (admission: Admission) => admission.answered(7)],
  [
    "cancelled",
    (admission: Admission) =>
      admission.admit({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } }),
  ],
])("an id is free again when its request is %s", (_how, settle) => {
  const admission = new Admission();
  admission.admit(request(7, "initialize"));
  expect(admission.admit(request(7))?.message).toContain("still running");

  settle(admission);

  expect(admission.admit(request(7))).toBeUndefined();
});
