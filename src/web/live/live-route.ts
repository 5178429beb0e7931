/** `/live/:id`: a session as a live stream for asciinema's player, over a WebSocket. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { SessionService } from "../../service/session-service.ts";
import { terminalEvents } from "../api/stream/terminal-events.ts";
import type { TerminalEvent } from "../api/stream/terminal-run.ts";
import type { SocketRoute, SocketUpgrade } from "../server/route.ts";
import { ALIS_MAGIC, ALIS_PROTOCOL, AlisStream } from "./alis-stream.ts";
import { asksFor, WebSocketSender } from "./web-socket-sender.ts";

export function liveRoute(sessions: SessionService): SocketRoute {
  return { path: "/live/:id", right: "view", serve: (upgrade) => serveLive(sessions, upgrade) };
}

async function serveLive(sessions: SessionService, { request, socket, head, params, signal }: SocketUpgrade) {
  const key = params["id"] ?? "";
  if (!asksFor(ALIS_PROTOCOL, request)) {
    throw new LimpetError(
      "BAD_REQUEST",
      `This address needs a WebSocket with the protocol ${ALIS_PROTOCOL}. Connect with that protocol.`,
    );
  }
  // Refused before the handshake: a player shows why.
  await sessions.find(key);
  const viewer = new WebSocketSender({ request, socket, head, protocol: ALIS_PROTOCOL });
  const stream = new AlisStream();
  await viewer.send(ALIS_MAGIC);
  const until = AbortSignal.any([signal, viewer.signal]);
  for await (const event of terminalEvents(sessions, { key, position: undefined, signal: until })) {
    for (const message of messagesOf(event, stream)) await viewer.send(message);
  }
  viewer.close();
}

function messagesOf(event: TerminalEvent, stream: AlisStream): readonly Uint8Array[] {
  switch (event.event) {
    case "screen":
      return [stream.init(event.data.size, textOf(event.data.bytes))];
    case "output":
      return event.data.bytes === "" ? [] : [stream.output(textOf(event.data.bytes))];
    case "size":
      return [stream.resize(event.data.size)];
    case "command":
      return [];
    case "ended": {
      const { exit } = event.data;
      return [...(exit?.kind === "code" ? [stream.exit(exit.code)] : []), stream.end()];
    }
  }
}

function textOf(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}
