import { describe, expect, test, vi } from "vitest";
import type { Probe } from "../../src/entries/transport.ts";
import { bytes, DEADLINE_MS, type Opened, type Opening, open, type Scenarios } from "./scenarios.ts";

/** What a transport promises whose channels have a probe. */
export function describeProbe(name: string, scenarios: Scenarios): void {
  describe(`the probe of ${name}`, () => {
    test("lines typed without echo reach the program and are not shown", async () => {
      const { channel, probe, seen, until } = await openProbed(scenarios.answersLines);
      await until("ready\n");

      const isTaken = probe.typeUnseen(bytes("secret\n"));

      await until("got secret\n");
      expect({ isTaken, text: seen.text, isUnread: probe.hasUnreadInput() }).toEqual({
        isTaken: true,
        text: "ready\ngot secret\n",
        isUnread: false,
      });
      await channel.close({ graceMs: 100 });
    });

    test("unread lines are counted until they are discarded, and an unfinished line is not", async () => {
      const { channel, probe, until } = await openProbed(scenarios.ignoresTerm);
      await until("ready\n");

      const taken: number[] = [];
      await channel.write(bytes("one\ntwo\nhalf"), (count) => taken.push(count));
      const unread = await vi.waitUntil(() => probe.unreadInput().bytes === 8 && probe.unreadInput(), {
        timeout: DEADLINE_MS,
      });
      probe.discardUnread();

      expect({ taken, unread, left: probe.unreadInput() }).toEqual({
        taken: [12],
        unread: { bytes: 8, isExact: true },
        left: { bytes: 0, isExact: true },
      });
      await channel.close({ graceMs: 0 });
    });

    test("a password prompt shows as line mode without echo", async () => {
      const { channel, probe, until } = await openProbed(scenarios.asksPassword);

      await until("ready\n");

      expect(probe.terminalMode()).toEqual({ isCanonical: true, isEchoing: false });
      await channel.close({ graceMs: 0 });
    });

    test("a program that waits for a line is observed in its read, and everything it printed has arrived", async () => {
      const { channel, probe, seen } = await openProbed(scenarios.answersLines);

      const observation = await vi.waitUntil(() => readerOf(probe), { timeout: DEADLINE_MS, interval: 1 });

      expect({ call: observation.call, text: seen.text }).toEqual({ call: "read", text: "ready\n" });
      await channel.close({ graceMs: 0 });
    });

    test("the program is in the foreground, runs, and listens nowhere", async () => {
      const { channel, probe, until } = await openProbed(scenarios.answersLines);
      await until("ready\n");

      const answers = {
        isInForeground: probe.isProgramInForeground(),
        isStopped: probe.isStopped(),
        hasDetached: probe.hasDetached(),
        listening: await probe.listening(),
      };

      expect(answers).toEqual({ isInForeground: true, isStopped: false, hasDetached: false, listening: [] });
      await channel.close({ graceMs: 0 });
    });

    test("after the end there is no terminal to observe, and nothing runs", async () => {
      const { channel, probe } = await openProbed(scenarios.answersLines);
      await channel.close({ graceMs: 0 });

      const answers = {
        mode: probe.terminalMode(),
        observation: probe.observe(),
        isTaken: probe.typeUnseen(bytes("lost\n")),
        running: await probe.running(),
      };

      expect(answers).toEqual({ mode: undefined, observation: undefined, isTaken: false, running: [] });
    });
  });
}

async function openProbed(opening: Opening): Promise<Opened & { readonly probe: Probe }> {
  const opened = await open(opening);
  const { probe } = opened.channel;
  if (!probe) throw new Error("the channel has no probe");
  return { ...opened, probe };
}

function readerOf(probe: Probe): { readonly call: string } | undefined {
  const reader = probe.observe()?.reader;
  return typeof reader === "object" ? reader : undefined;
}
