/** Both ends of a link between a door and a host over NATS, for one test. */
import { expect } from "vitest";
import { type AcceptLinksOptions, acceptLinks } from "../../../src/fleet/link/accept-links.ts";
import type { LinkStream } from "../../../src/fleet/link/link-stream.ts";
import { type OpenLinkOptions, openLink } from "../../../src/fleet/link/open-link.ts";
import type { Bus } from "../../../src/fleet/nats/bus.ts";
import { type Fate, hostileBus } from "./hostile-bus.ts";

interface Linked {
  readonly near: LinkStream;
  readonly far: LinkStream;
}

interface Between {
  readonly atHost: Bus;
  readonly atDoor: Bus;
  /** Gets what ends the link. */
  readonly ends: (() => void)[];
}

/** `fate`: of the messages to the host. */
export async function openLinked(
  { atHost, atDoor, ends }: Between,
  fate: Fate = () => ({ times: 1 }),
  { host = {}, door = {} }: { host?: Partial<AcceptLinksOptions>; door?: Partial<OpenLinkOptions> } = {},
): Promise<Linked> {
  const arrived: LinkStream[] = [];
  const links = acceptLinks(atHost, {
    host: "gpu-1",
    epoch: 3,
    mayServe: () => true,
    sign: () => "signed",
    onLink: (stream) => {
      stream.on("error", () => undefined);
      arrived.push(stream);
    },
    onLaterEpoch: () => undefined,
    ...host,
  });
  ends.push(() => links.close());
  // After an answer, the server knows that the host listens.
  await atHost.request("nobody", new Uint8Array(), { timeoutMs: 20_000 });
  const near = await openLink(hostileBus(atDoor, fate), {
    host: "gpu-1",
    door: "desk",
    openMs: 20_000,
    ...door,
  });
  near.on("error", () => undefined);
  ends.push(() => near.destroy());
  await expect.poll(() => arrived.length).toBe(1);
  return { near, far: arrived[0] as LinkStream };
}
