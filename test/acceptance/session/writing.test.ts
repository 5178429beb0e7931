import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { needs } from "../../support/needs.ts";
import { allText, LONG_MS, open, temporaryDirectory, testProgram, waitForInput } from "../../support/watching.ts";

test.skipIf(!needs("python3"))("two writers of 100 KB never interleave inside one write", async () => {
  const script = `import os, sys, tty
tty.setraw(0)
os.write(1, b"ready\\r\\n")
left, last, changes = 200_000, None, 0
while left:
    for byte in os.read(0, 65536):
        left -= 1
        changes += byte != last
        last = byte
print("changes", changes, end="\\r\\n")`;
  const session = await open({ program: "python3", args: ["-c", script] });
  await session.wait({ until: /ready/, deadlineMs: LONG_MS });

  await Promise.all([session.write("a".repeat(100_000)), session.write("b".repeat(100_000))]);

  expect(await session.wait({ until: /changes \d+/, onInput: false, deadlineMs: LONG_MS })).toMatchObject({
    text: "changes 2",
  });
});

test.skipIf(!needs("python3"))("a password appears in no output, journal, status, result or error", async () => {
  const secret = "correct-horse-battery-staple";
  const directory = temporaryDirectory();
  const session = await open({
    command: `python3 ${testProgram("waits/asks-on-tty.py")} "[sudo] password: " something-else; read -r`,
    stateDirectory: directory,
  });
  const results: unknown[] = [];
  for (let round = 0; round < 3; round += 1) {
    results.push(await session.wait({ until: /never/, deadlineMs: LONG_MS }), await session.status());
    await session.write(`${secret}\n`);
  }
  results.push(await session.wait({ until: /never/, deadlineMs: LONG_MS }), await session.status());
  const tooLong = await session.write(`${secret}${"x".repeat(5_000)}\n`).catch((error: unknown) => error);
  const control = AbortSignal.abort(new Error("enough"));
  results.push(tooLong, await session.wait({ signal: control }).catch((error: unknown) => error));
  await session.close();
  results.push(await session.write(secret).catch((error: unknown) => error), session);

  const files = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
  expect(files.length).toBeGreaterThan(0);
  for (const path of files) expect(readFileSync(path, "latin1")).not.toContain(secret);
  expect(await allText(session)).not.toContain(secret);
  expect(inspect(results, { depth: 10, showHidden: true })).not.toContain(secret);
  expect(JSON.stringify(results)).not.toContain(secret);
  expect(tooLong).toMatchObject({ code: "LINE_TOO_LONG" });
});

test("a write and its wait go to one session alone, whatever other sessions do", async () => {
  const sessions = await Promise.all(Array.from({ length: 8 }, () => open({ program: "cat" })));

  const answers = await Promise.all(
    sessions.map(async (session, index) => {
      await waitForInput(session);
      await session.write(`number ${index}\n`);
      await waitForInput(session);
      return await allText(session);
    }),
  );

  expect(answers).toEqual(sessions.map((_, index) => `number ${index}\r\n`.repeat(2)));
});
