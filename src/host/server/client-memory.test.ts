import { expect, test } from "vitest";
import { greediest, type HoldingClient, MAX_BEGUN_BYTES, MAX_UNREAD_BYTES, mayBegin } from "./client-memory.ts";

function client(begunBytes: number, unreadBytes = 0): HoldingClient {
  return { begunBytes, unreadBytes };
}

test("a long line is accepted while the begun lines of all clients fit, and a short one always", () => {
  const others = [client(MAX_BEGUN_BYTES / 2), client(MAX_BEGUN_BYTES / 4)];

  expect(mayBegin(MAX_BEGUN_BYTES / 4, others)).toBe(true);
  expect(mayBegin(MAX_BEGUN_BYTES / 4 + 1, others)).toBe(false);
  expect(mayBegin(1_000, [client(MAX_BEGUN_BYTES)])).toBe(true);
});

test("the client with the most unread answers goes when all together are too many", () => {
  const clients = [client(0, MAX_UNREAD_BYTES / 3), client(0, MAX_UNREAD_BYTES / 2), client(0, MAX_UNREAD_BYTES / 6)];

  expect(greediest(clients)).toBeUndefined();
  expect(greediest([...clients, client(0, 1)])).toBe(clients[1]);
});
