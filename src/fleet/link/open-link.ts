/** Opens a link from a door to a host. */
import { randomBytes } from "node:crypto";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Bus } from "../nats/bus.ts";
import { openSubject, toDoorSubject, toHostSubject } from "../subjects.ts";
import { LinkStream } from "./link-stream.ts";
import { encodeMessage, type OpenRequest, openedText, readOpenAnswer } from "./open-messages.ts";

/**
 * One megabyte in transit uses a connection of 100 Mbit/s with a round trip of 80 ms fully. With 60 slow readers, a
 * door stays below what NATS buffers before it disconnects a client.
 */
const WINDOW_BYTES = 1024 * 1024;
/** A host answers in a millisecond, on an overloaded machine within seconds. */
const OPEN_MS = 5_000;

export interface OpenLinkOptions {
  readonly host: string;
  readonly door: string;
  /** The epoch in which the host was last seen. A host in another epoch refuses the link. */
  readonly epoch?: number | undefined;
  /** Checks that the host has signed the text. Default: no check. */
  readonly isSigned?: (text: string, signature: string) => boolean;
  readonly tickMs?: number;
  readonly openMs?: number;
}

/** Rejects with PLACE_UNREACHABLE if the host does not answer or is in another epoch. */
export async function openLink(bus: Bus, options: OpenLinkOptions): Promise<LinkStream> {
  const { host, door, epoch, isSigned = () => true, tickMs, openMs = OPEN_MS } = options;
  const link = randomBytes(16).toString("hex");
  const to = toHostSubject({ host, door, link });
  const stops: (() => void)[] = [];
  const stream = new LinkStream({
    windowBytes: WINDOW_BYTES,
    send: (message) => bus.publish(to, message),
    onClosed: () => {
      for (const stop of stops) stop();
    },
    ...(tickMs === undefined ? {} : { tickMs }),
  });
  stops.push(bus.subscribe(toDoorSubject({ host, door, link }), ({ data }) => stream.receive(data)));
  stops.push(bus.onBack(() => stream.lose("the connection to NATS was interrupted")));
  const give = (what: string, remedy: string): LimpetError => {
    stream.destroy();
    return new LimpetError("PLACE_UNREACHABLE", `${host} ${what}. ${remedy}`);
  };
  const request: OpenRequest = { link, door, epoch, windowBytes: WINDOW_BYTES };
  try {
    const data = await bus.request(openSubject(host), encodeMessage(request), { timeoutMs: openMs, hasDeadline: true });
    if (stream.destroyed) throw give("lost its link while it was opened", "Try again.");
    if (!data) throw give("does not answer", "It may be stopped, or cut off from NATS: see limpet fleet status.");
    const answer = readOpenAnswer(data);
    if (!answer) throw give("sent an answer that limpet does not understand", "Use the same version of limpet there.");
    if (answer.kind === "refused") throw give(`refused the link (${answer.why})`, "Try again.");
    if (epoch !== undefined && answer.epoch !== epoch) throw give("answered for another epoch", "Try again.");
    if (!isSigned(openedText(host, answer.epoch, link), answer.signature))
      throw give("has a different key than the registered host", "Give every host a name of its own.");
    return stream;
  } catch (error) {
    stream.destroy();
    throw error;
  }
}
