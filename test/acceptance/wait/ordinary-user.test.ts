/** What an ordinary user is shown of programs that wait. Root sees more, and runs the other tests where it is there. */
import { expect, test } from "vitest";
import { skipWithout } from "../../support/needs.ts";
import { openOtherUser } from "../../support/other-user.ts";

skipWithout("root", "python3");

test("a thread that reads after the main thread has ended is seen to wait", { timeout: 120_000 }, async () => {
  const user = openOtherUser("unused");
  try {
    await user.limpet(["start", "python3 /mnt/repo/test/programs/waits/main-thread-ends.py"]);

    const waited = await user.limpet(["wait", "1", "--input", "--timeout", "60s"]);

    expect(waited).toMatchObject({ code: 0, stdout: "1: waits for input: line\n" });
  } finally {
    await user.close();
  }
});
