/** A server that talks lines, as mail and news servers do: it prompts, and takes its time for some answers. */
import { createServer } from "node:net";

export async function openTalker() {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
    socket.write("220 zoo\r\ntalker> ");
    socket.on("data", (bytes) => {
      const word = bytes.toString().trim();
      const answer = () => !socket.destroyed && socket.write(`you said ${word.toUpperCase()}\r\ntalker> `);
      if (word === "slow") setTimeout(answer, 1_200);
      else answer();
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const close = () =>
    new Promise((done) => {
      for (const socket of sockets) socket.destroy();
      server.close(done);
    });
  return { env: { TALKER_PORT: String(server.address().port) }, close };
}
