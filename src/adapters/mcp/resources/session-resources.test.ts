import { expect, test } from "vitest";
import type { RunningSession } from "../../../service/listing/session-state.ts";
import type { SessionService } from "../../../service/session-service.ts";
import { SessionResources } from "./session-resources.ts";

function resourcesOf(running: readonly RunningSession[]): SessionResources {
  return new SessionResources({
    sessions: { running: async () => running } as Partial<SessionService> as SessionService,
    caller: () => "test",
    onUpdated: () => undefined,
    onListChanged: () => undefined,
  });
}

function sessions(size: number, { isIdle }: { readonly isIdle: boolean }): readonly RunningSession[] {
  return Array.from({ length: size }, (_, id) => ({ id, name: null, place: isIdle ? "idle" : "busy", isIdle }));
}

test("of ten thousand sessions fifty are resources, busy ones first, and the brief counts the others", async () => {
  const resources = resourcesOf([...sessions(9_960, { isIdle: true }), ...sessions(40, { isIdle: false })]);

  const [brief, ...listed] = await resources.list();

  expect(brief).toMatchObject({
    uri: "limpet://brief",
    description: expect.stringMatching(
      / 9950 more sessions run; their URIs are not listed here: list_sessions shows the ids\.$/,
    ),
  });
  expect(listed).toHaveLength(100);
  expect(listed.map(({ uri }) => uri.includes("busy"))).toEqual([
    ...Array.from({ length: 80 }, () => true),
    ...Array.from({ length: 20 }, () => false),
  ]);
});

test("a few sessions are all listed", async () => {
  const [brief, ...listed] = await resourcesOf(sessions(2, { isIdle: false })).list();

  expect(brief).toMatchObject({ description: expect.stringMatching(/in at most 300 tokens\.$/) });
  expect(listed.map(({ uri }) => uri)).toEqual([
    "limpet://sessions/busy%2F0/output",
    "limpet://sessions/busy%2F0/screen",
    "limpet://sessions/busy%2F1/output",
    "limpet://sessions/busy%2F1/screen",
  ]);
});
