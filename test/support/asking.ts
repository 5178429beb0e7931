import { expect, test } from "vitest";
import type { OpenOptions } from "../../src/session/open/open-options.ts";
import type { Session } from "../../src/session/session.ts";
import { allText, LONG_MS, open, plainText, temporaryDirectory, waitForInput } from "./watching.ts";

/** What it has shown, what it waits for, what we answer. */
type Ask = readonly [shown: RegExp, waitingFor: "line" | "password" | "key", answer: string];

export interface AskingProgram {
  readonly name: string;
  readonly options: OpenOptions;
  readonly asks: readonly Ask[];
  /** What it shows after the last answer, or that it ends. */
  readonly lastly: RegExp | "exit";
  readonly isThere?: boolean;
}

export function testAsking({ name, options, asks, lastly, isThere = true }: AskingProgram): void {
  test.skipIf(!isThere)(`${name} is seen to wait, and answered`, async () => {
    const session = await open({ cwd: temporaryDirectory(), ...options });

    await answerAll(session, asks);

    const end = { onInput: false, deadlineMs: LONG_MS };
    const yielded = await session.wait(lastly === "exit" ? end : { ...end, until: lastly });
    const reason = lastly === "exit" ? "exited" : "matched";
    expect(yielded, await allText(session)).toMatchObject({ reason });
  });
}

async function answerAll(session: Session, asks: readonly Ask[]): Promise<void> {
  for (const [shown, kind, answer] of asks) {
    const waitingFor = await waitForInput(session);
    expect(await plainText(session)).toMatch(shown);
    expect(waitingFor).toBe(kind);
    await session.write(answer);
  }
}
