import { expect, test } from "vitest";
import { greediest, type HoldingClient, MAX_INCOMPLETE_BYTES, MAX_UNREAD_BYTES, mayHold } from "./client-memory.ts";

function client(incompleteBytes: number, unreadBytes = 0): HoldingClient {
  return { incompleteBytes, unreadBytes };
}

test("a long line is accepted while the incomplete lines of all clients fit, and a short one always", () => {
  const others = [client(MAX_INCOMPLETE_BYTES / 2), client(MAX_INCOMPLETE_BYTES / 4)];

  expect(mayHold(MAX_INCOMPLETE_BYTES / 4, others)).toBe(true);
  expect(mayHold(MAX_INCOMPLETE_BYTES / 4 + 1, others)).toBe(false);
  expect(mayHold(1_000, [client(MAX_INCOMPLETE_BYTES)])).toBe(true);
});

test("the client with the most unread answers goes when all together are too many", () => {
  const clients = [client(0, MAX_UNREAD_BYTES / 3), client(0, MAX_UNREAD_BYTES / 2), client(0, MAX_UNREAD_BYTES / 6)];

  expect(greediest(clients)).toBeUndefined();
  expect(greediest([...clients, client(0, 1)])).toBe(clients[1]);
});
