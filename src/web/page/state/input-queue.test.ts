import { expect, test } from "vitest";
import type { InputMessage } from "../../api/messages.ts";
import { InputQueue, joined } from "./input-queue.ts";

const text = (value: string): InputMessage => ({ kind: "text", text: value });

/** A queue whose requests are answered by hand. */
function queue() {
  const sent: InputMessage[] = [];
  const failures: unknown[] = [];
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const made = new InputQueue({
    send: (message) =>
      new Promise((resolve, reject) => {
        sent.push(message);
        answers.push({ resolve, reject });
      }),
    onFailed: (error) => failures.push(error),
  });
  return { made, sent, failures, answers };
}

test("what is typed during a request goes with the next one, in order", async () => {
  const { made, sent, answers } = queue();

  made.add(text("a"));
  made.add(text("b"));
  made.add({ kind: "keys", keys: ["Tab"] });
  made.add(text("c"));
  expect(sent).toEqual([text("a")]);
  answers[0]?.resolve();

  await expect.poll(() => sent).toEqual([text("a"), text("b")]);
  answers[1]?.resolve();
  await expect.poll(() => sent.length).toBe(3);
  answers[2]?.resolve();
  await expect.poll(() => sent).toEqual([text("a"), text("b"), { kind: "keys", keys: ["Tab"] }, text("c")]);
});

test("after a failure nothing that waited is sent, and later keys are", async () => {
  const { made, sent, failures, answers } = queue();
  made.add(text("a"));
  made.add(text("b"));

  answers[0]?.reject(new Error("held"));
  await expect.poll(() => failures.length).toBe(1);
  made.add(text("c"));

  expect(sent).toEqual([text("a"), text("c")]);
});

test("a paste stays a message of its own", () => {
  const paste: InputMessage = { kind: "paste", text: "p" };

  expect(joined([text("a"), paste], paste)).toEqual([text("a"), paste, paste]);
});
