import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { AnswerWatch } from "./answer-watch.ts";

interface Ends {
  /** As the server sees it. */
  readonly socket: Socket;
  readonly client: Socket;
}

async function openConnection(): Promise<Ends> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [socket] = (await once(server, "connection")) as [Socket];
  socket.on("error", () => undefined).resume();
  onTestFinished(() => {
    for (const end of [client, socket]) end.destroy();
    server.close();
  });
  return { socket, client };
}

interface Watched {
  readonly watch: AnswerWatch;
  lost: number;
}

function watching({ socket }: Ends): Watched {
  const watched = { watch: new AnswerWatch(), lost: 0 };
  watched.watch.watch(socket, () => {
    watched.lost += 1;
  });
  return watched;
}

test("an answer is lost if its connection is reset after it was sent", async () => {
  const ends = await openConnection();
  const watched = watching(ends);

  ends.client.resetAndDestroy();

  await expect.poll(() => watched.lost).toBe(1);
});

test("an answer is lost if its connection was reset before the watch started", async () => {
  const ends = await openConnection();
  ends.client.resetAndDestroy();
  await expect.poll(() => ends.socket.closed).toBe(true);

  expect(watching(ends).lost).toBe(1);
});

test("an answer has arrived if its connection ends in order, or is used again before it is reset", async () => {
  const [ended, used] = [await openConnection(), await openConnection()];
  const [atEnd, inUse] = [watching(ended), watching(used)];

  ended.client.end();
  inUse.watch.used(used.socket);
  used.client.resetAndDestroy();

  await expect.poll(() => [ended.socket.closed, used.socket.closed]).toEqual([true, true]);
  expect([atEnd.lost, inUse.lost]).toEqual([0, 0]);
});
