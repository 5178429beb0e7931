import { Socket } from "node:net";
import { expect, test } from "vitest";
import { Connections } from "./connections.ts";

const sockets = (count: number) => Array.from({ length: count }, () => new Socket());

test("the connection that has been idle longest makes room", () => {
  const connections = new Connections(2);
  const [first, second, third] = sockets(3) as [Socket, Socket, Socket];
  for (const socket of [first, second]) connections.add(socket);
  const done = connections.busy(first);
  connections.add(third);

  expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
  done();
  const [fourth] = sockets(1) as [Socket];
  connections.add(fourth);
  expect([first, third, fourth].map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
  expect(connections.size).toBe(2);
});

test("without an idle one, the new connection is refused", () => {
  const connections = new Connections(1);
  const [first, second] = sockets(2) as [Socket, Socket];
  connections.add(first);
  connections.busy(first);
  connections.add(second);

  expect([first.destroyed, second.destroyed]).toEqual([false, true]);
});
