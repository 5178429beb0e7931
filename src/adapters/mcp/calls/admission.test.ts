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

test("server/discover without a protocol is refused for its parameters, and the connection is still open to both", () => {
  const admission = new Admission();
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };

  expect(admission.admit(request(1, "server/discover"))).toMatchObject({ id: 1, code: -32602 });
  expect(admission.admit(request(2, "server/discover", { _meta: {} }))).toMatchObject({ id: 2, code: -32602 });
  expect(admission.admit(request(3, "server/discover", { _meta }))).toBeUndefined();
});

test("once a request has named its protocol, one that does not is refused for its parameters", () => {
  const admission = new Admission();
  admission.admit(request(1, "tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }));

  expect(admission.admit(request(2))).toEqual({
    id: 2,
    code: -32602,
    message:
      "tools/list does not name its protocol. " +
      "Put io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities into _meta.",
  });
});

test("a request in an unknown protocol is refused with those that there are, whatever came before", () => {
  const admission = new Admission();
  const named = (version: unknown) => ({ _meta: { "io.modelcontextprotocol/protocolVersion": version } });
  admission.admit(request(1, "tools/list", named("2026-07-28")));

  expect(admission.admit(request(2, "tools/list", named("v999")))).toEqual({
    id: 2,
    code: -32022,
    message: 'This server does not speak the protocol "v999". Use 2026-07-28.',
    data: { supported: ["2026-07-28"], requested: "v999" },
  });
  expect(admission.admit(request(3, "tools/list", named(5)))).toBeUndefined();
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
