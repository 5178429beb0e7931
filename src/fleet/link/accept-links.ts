/** Accepts links from doors on a host. */
import type { Bus, BusMessage } from "../nats/bus.ts";
import { openSubject, toDoorSubject, toHostSubject } from "../subjects.ts";
import { judgeOpen } from "./judge-open.ts";
import { LinkStream } from "./link-stream.ts";
import { encodeMessage, type OpenAnswer, openedText, readOpenRequest } from "./open-messages.ts";

/** Each holds at most one megabyte. */
const MAX_LINKS = 256;

export interface AcceptLinksOptions {
  readonly host: string;
  readonly epoch: number;
  /** Whether the host may serve through the fleet now. */
  readonly mayServe: () => boolean;
  /** Tries to renew the lease of the host. Default: does nothing. */
  readonly tryToServe?: () => Promise<void>;
  readonly sign: (text: string) => string;
  readonly onLink: (stream: LinkStream, door: string) => void;
  /** Called with a later epoch, if a door knows of another process that runs under this name. */
  readonly onLaterEpoch: (epoch: number) => void;
  readonly tickMs?: number;
}

export interface AcceptedLinks {
  /** Ends all links as lost. */
  loseAll(why: string): void;
  /** Ends all links as lost, and accepts no more. */
  close(): void;
}

export function acceptLinks(bus: Bus, options: AcceptLinksOptions): AcceptedLinks {
  const { host, epoch, mayServe, tryToServe, sign, onLink, onLaterEpoch, tickMs } = options;
  const links = new Map<string, LinkStream>();
  let isClosed = false;
  const answerTo = async ({ data, isLate, answer }: BusMessage): Promise<void> => {
    const request = readOpenRequest(data);
    if (!request || !answer) return;
    if (!mayServe()) await tryToServe?.();
    if (isClosed) return;
    const isFull = links.size >= MAX_LINKS || links.has(request.link);
    const verdict = judgeOpen({ epoch, asked: request.epoch, mayServe: mayServe(), isFull, isLate });
    if (verdict.kind === "later epoch") onLaterEpoch(verdict.epoch);
    if (verdict.kind === "refuse")
      answer(encodeMessage({ kind: "refused", epoch, why: verdict.why } satisfies OpenAnswer));
    if (verdict.kind !== "accept") return;
    const { link, door, windowBytes } = request;
    const to = toDoorSubject({ host, door, link });
    const stream = new LinkStream({
      windowBytes,
      send: (message) => bus.publish(to, message),
      onClosed: () => {
        links.delete(link);
        stop();
      },
      ...(tickMs === undefined ? {} : { tickMs }),
    });
    // After a long suspension of this process, waiting messages are refused: another process may have replaced it.
    const stop = bus.subscribe(toHostSubject({ host, door, link }), (message) =>
      mayServe() ? stream.receive(message.data) : stream.lose("the lease of the host has expired"),
    );
    links.set(link, stream);
    onLink(stream, door);
    const signature = sign(openedText(host, epoch, link));
    answer(encodeMessage({ kind: "opened", epoch, windowBytes, signature } satisfies OpenAnswer));
  };
  const stopOpening = bus.subscribe(openSubject(host), (message) => void answerTo(message));
  const loseAll = (why: string): void => {
    for (const stream of [...links.values()]) stream.lose(why);
  };
  const stopBack = bus.onBack(() => loseAll("the connection to NATS was interrupted"));
  return {
    loseAll,
    close() {
      isClosed = true;
      stopOpening();
      stopBack();
      loseAll("the host leaves the fleet");
    },
  };
}
