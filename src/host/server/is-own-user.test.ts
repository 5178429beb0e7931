import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isOwnUser } from "./is-own-user.ts";

test("a connection of this user is its own; one without a user, or that is closed, is not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "limpet-peer-"));
  const server = createServer().listen(join(folder, "socket"));
  await once(server, "listening");
  const client = connect(join(folder, "socket"));
  const [served] = (await once(server, "connection")) as [Socket];

  const isOpenOwn = isOwnUser(served);
  served.destroy();
  const others = [isOwnUser(served), isOwnUser(new Socket())];
  client.destroy();
  server.close();
  rmSync(folder, { recursive: true });

  expect([isOpenOwn, ...others]).toEqual([true, false, false]);
});

test("a TCP connection has no user", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  const client = connect(port, "127.0.0.1");
  const [served] = (await once(server, "connection")) as [Socket];

  const isOwn = isOwnUser(served);
  served.destroy();
  client.destroy();
  server.close();

  expect(isOwn).toBe(false);
});
