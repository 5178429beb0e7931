import { expect, test } from "vitest";
import { openSession } from "./entries/session.ts";
import {
  type Channel,
  type ChannelOptions,
  localTransport,
  type ReaderVerdict,
  type TerminalObservation,
  type Transport,
} from "./entries/transport.ts";

test("a transport of one's own is written with the exported types", async () => {
  const reader: ReaderVerdict = "unknown";
  const look: TerminalObservation = { mode: { isCanonical: true, isEchoing: true }, reader, hasUnreadInput: false };
  const blind: Transport = {
    async open(options: ChannelOptions): Promise<Channel> {
      const channel = await localTransport.open(options);
      Object.assign(channel.probe ?? {}, { observe: () => look });
      return channel;
    },
  };
  await using session = await openSession({ program: "cat", transport: blind });

  expect(await session.waitingFor()).toBe("unknown");
});
