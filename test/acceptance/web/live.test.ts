/** A session as a live stream, read as asciinema's player reads it, and clients that send what they should not. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { liveRoute } from "../../../src/web/live/live-route.ts";
import { hostAt, hostDirectory } from "../../support/host/host.ts";
import { until } from "../../support/sessions.ts";

interface Live {
  readonly sessions: HostClient;
  readonly port: number;
}

/** Without the checks of the web server, which has tests of its own. */
async function serveLive(): Promise<Live> {
  const sessions = hostAt(hostDirectory());
  const route = liveRoute(sessions);
  const end = new AbortController();
  const served: Promise<void>[] = [];
  const visitor = { caller: "person", right: "view", isPerson: true, session: null } as const;
  const server = createServer().on("upgrade", (request, socket, head) => {
    socket.on("error", () => undefined);
    const params = { id: (request.url ?? "").replace("/live/", "") };
    const upgrade = { request, socket, head, visitor, params, query: new URLSearchParams(), signal: end.signal };
    const refuse = (error: Error) => void socket.end(`HTTP/1.1 400 Bad Request\r\n\r\n${error.message}`);
    served.push(route.serve(upgrade).catch(refuse));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.close();
    end.abort();
    // A stream that is still open would start the host again.
    await Promise.all(served);
    await sessions.running();
  });
  return { sessions, port: (server.address() as AddressInfo).port };
}

/** What a player has received. */
class Player {
  readonly socket: Socket;
  #bytes = Buffer.alloc(0);
  #isOpen = false;
  head = "";
  readonly messages: Buffer[] = [];
  closedWith: number | undefined;

  constructor(port: number, session: number, protocol = "raw, v1.alis") {
    this.socket = connect(port, "127.0.0.1");
    onTestFinished(() => void this.socket.destroy());
    const key = randomBytes(16).toString("base64");
    this.socket.write(
      `GET /live/${session} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
    );
    this.socket.on("error", () => undefined);
    this.socket.on("data", (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#read();
    });
  }

  /** The text of the screen and of all output. */
  get text(): string {
    return this.messages.map((message) => message.toString("utf8")).join("");
  }

  send(opcode: number, content: Buffer = Buffer.alloc(0)): void {
    const head = [0x80 | opcode, 0x80 | content.length, 0, 0, 0, 0];
    this.socket.write(Buffer.concat([Buffer.from(head), content]));
  }

  #read(): void {
    if (!this.#isOpen) {
      const end = this.#bytes.indexOf("\r\n\r\n");
      if (end < 0) return;
      this.head = this.#bytes.subarray(0, end).toString();
      this.#bytes = this.#bytes.subarray(end + 4);
      this.#isOpen = true;
    }
    while (this.#bytes.length >= 2) {
      const [first = 0, short = 0] = this.#bytes;
      const at = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (this.#bytes.length < at) return;
      const length =
        short === 127 ? Number(this.#bytes.readBigUInt64BE(2)) : short === 126 ? this.#bytes.readUInt16BE(2) : short;
      if (this.#bytes.length < at + length) return;
      const content = this.#bytes.subarray(at, at + length);
      this.#bytes = this.#bytes.subarray(at + length);
      if (first === 0x82) this.messages.push(content);
      if (first === 0x88) this.closedWith = content.readUInt16BE(0);
    }
  }
}

async function startCat({ sessions }: Live): Promise<number> {
  const { id } = await startSession(sessions, { command: "echo first; exec cat", login: false, shell: "/bin/sh" });
  await until(async () => (await sessions.find(id)).outputBytes > 0, "it has printed something");
  return id;
}

test("a player gets the screen, then what follows, and the end", async () => {
  const live = await serveLive();
  const id = await startCat(live);

  const player = new Player(live.port, id);
  await until(() => player.text.includes("first"), "the screen");
  await live.sessions.write(id, Buffer.from("second\n"));
  await until(() => player.text.includes("second\r\nsecond"), "the output");
  await live.sessions.resize(id, { cols: 91, rows: 21 });
  await live.sessions.write(id, Buffer.from([4]));
  await until(() => player.closedWith !== undefined, "the end");

  expect(player.head).toContain("Sec-WebSocket-Protocol: v1.alis");
  expect(player.messages[0]?.toString("latin1")).toBe("ALiS\x01");
  const types = player.messages.slice(1).map(([type]) => type);
  expect([types[0], types.at(-2), types.at(-1)]).toEqual([0x01, 0x78, 0x04]);
  expect(types).toContain(0x72);
  expect(player.closedWith).toBe(1000);
});

test.each([
  [
    "a large frame",
    (player: Player) => void player.socket.write(Buffer.from([0x82, 0xff, 0, 0, 0, 0, 2, 250, 240, 128])),
    1009,
  ],
  ["text that is not UTF-8", (player: Player) => player.send(0x1, Buffer.from([0xff])), 1007],
  ["a message", (player: Player) => player.send(0x1, Buffer.from("hi")), 1008],
  ["a frame of an unknown type", (player: Player) => player.send(0x3), 1002],
  [
    "too many frames",
    (player: Player) => {
      for (let count = 0; count < 10_000; count += 1) player.send(0x9);
    },
    1008,
  ],
])("%s ends the stream, and not the session", async (_, misbehave, code) => {
  const live = await serveLive();
  const id = await startCat(live);
  const player = new Player(live.port, id);
  await until(() => player.text.includes("first"), "the screen");

  misbehave(player);

  await until(() => player.closedWith !== undefined, "it is closed");
  expect(player.closedWith).toBe(code);
  expect((await live.sessions.find(id)).exit).toBeNull();
});

test("what is not a live stream is refused before the handshake", async () => {
  const live = await serveLive();
  const id = await startCat(live);
  const [other, missing] = [new Player(live.port, id, "raw"), new Player(live.port, 999)];

  await until(() => other.head !== "" && missing.head !== "", "answers");

  expect([other.head, missing.head].map((head) => head.split("\r\n")[0])).toEqual([
    "HTTP/1.1 400 Bad Request",
    "HTTP/1.1 400 Bad Request",
  ]);
});
