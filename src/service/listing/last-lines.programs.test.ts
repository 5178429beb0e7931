import { expect, test, vi } from "vitest";
import { openSession } from "../../session/open/open-session.ts";
import { LastLines } from "./last-lines.ts";

test("the last line is that of the moment, whatever was shown before", async () => {
  await using session = await openSession({ program: "cat" });
  const lines = new LastLines();
  const shown = async () => await lines.lineOf(session);
  expect(await shown()).toBe("");

  for (const word of ["one", "two"]) {
    await session.write(`${word}\n`);
    await session.wait({ until: `${word}\\n${word}\\n` });
    expect(await shown()).toBe(word);
  }

  session.resize({ cols: 40, rows: 10 });
  expect(await shown()).toBe("two");
  await session.write("\x04");
  await session.wait({ onInput: false });
  expect(await shown()).toBe("two");
});

test("a session that printed nothing since is not read again", async () => {
  await using session = await openSession({ program: "/bin/sh", args: ["-c", "echo ready; exec cat"] });
  await session.wait({ until: "ready\\n" });
  const read = vi.spyOn(session, "tail");
  const lines = new LastLines();

  for (let times = 0; times < 3; times += 1) expect(await lines.lineOf(session)).toBe("ready");

  expect(read).toHaveBeenCalledTimes(1);
});
