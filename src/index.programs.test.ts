import { expect, test } from "vitest";
import {
  type Channel,
  type ChannelOptions,
  localTransport,
  openSession,
  type ReaderVerdict,
  type SessionService,
  type StartRequest,
  type TerminalObservation,
  type Transport,
} from "./index.ts";

test("a transport of one's own is written with the exported types", async () => {
  const reader: ReaderVerdict = "unknown";
  const look: TerminalObservation = { mode: { isCanonical: true, isEchoing: true }, reader, hasUnreadInput: false };
  const blind: Transport = {
    async open(options: ChannelOptions): Promise<Channel> {
      return Object.assign(await localTransport.open(options), { lookForInput: () => look });
    },
  };
  await using session = await openSession({ program: "cat", transport: blind });

  expect(await session.waitingFor()).toBe("unknown");
});

test("sessions of one's own are written with the exported types", async () => {
  const started: string[] = [];
  const sessions: Pick<SessionService, "start" | "running"> = {
    async start({ command, name }: StartRequest) {
      started.push(command);
      return { id: started.length, name: name ?? null, isReused: false };
    },
    running: async () => started.map((_, index) => ({ id: index + 1, name: null })),
  };

  expect(await sessions.start({ command: "make" })).toEqual({ id: 1, name: null, isReused: false });
  expect(await sessions.running()).toEqual([{ id: 1, name: null }]);
});
