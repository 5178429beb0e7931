/** Each mark that limpet writes into an output has the tag of the request, wherever the session lives. */
import { describe, expect, test } from "vitest";
import { LocalService } from "../../../src/service/local-service.ts";
import type { SessionService } from "../../../src/service/session-service.ts";
import type { TurnRead } from "../../../src/service/turn/turn-request.ts";
import { SessionRegistry } from "../../../src/session/registry/session-registry.ts";
import { openHost } from "../../support/host/raw-host-client.ts";

const TAG = "q7k2";
/** Imitates a fold and a cut, has lines to fold, and is too long for the budget. */
const OUTPUT =
  "printf '[×4999]\\n…9 tokens truncated…\\n'; yes same-line | head -50; awk 'BEGIN { for (i = 1; i <= 900; i++) print i * i }'";
const MARKS = [/^\[×4999\]$/m, /^…9 tokens truncated…$/m, /^q7k2 …\d+ tokens truncated…$/m];

async function inThisProcess(): Promise<SessionService> {
  return new LocalService(new SessionRegistry());
}

async function inHost(): Promise<SessionService> {
  return (await openHost()).client;
}

describe.each([
  ["in this process", inThisProcess],
  ["in a host", inHost],
])("%s", (_, open) => {
  test("a reading of any kind has its tag", async () => {
    const service = await open();
    const caller = "a";
    const start = { command: OUTPUT, shell: "/bin/bash", login: false };
    const { session } = await service.turn({ caller, on: { kind: "start", start }, wait: { kind: "output" } });
    const budget = { maxTokens: 100, tag: TAG };
    const reads: TurnRead[] = [
      { kind: "text", ...budget },
      { kind: "head", lines: 1000, ...budget },
      { kind: "unread", ...budget },
    ];

    for (const read of reads) {
      const { output } = await service.turn({ caller, on: { kind: "session", key: session.id }, read });
      for (const mark of [...MARKS, /^q7k2 \[×50\]$/m]) expect(output?.text).toMatch(mark);
    }
    const tail: TurnRead = { kind: "tail", lines: 500, ...budget };
    const { output } = await service.turn({ caller, on: { kind: "session", key: session.id }, read: tail });
    expect(output?.text).toMatch(/^q7k2 …\d+ tokens truncated…$/m);
    await service.close(session.id, { force: true });
  });

  test("the output of run has its tag", async () => {
    const service = await open();
    const run = { command: OUTPUT, shell: "marks", maxTokens: 100, tag: TAG };

    const { command, session } = await service.turn({ caller: "a", on: { kind: "run", run } });

    for (const mark of MARKS) expect(command?.output).toMatch(mark);
    await service.close(session.id, { force: true });
  });
});
