import { expect, test } from "vitest";
import { open } from "../../test/support/watching.ts";
import { internalsOf } from "./session-internals.ts";

test("a session shows nothing of what it is made of, and its internals are one call away", async () => {
  const session = await open({ command: "exec sleep 60" });

  const shown = ["channel", "store", "finishes", "input", "position"].filter((name) => name in session);

  expect({ shown, pid: internalsOf(session).channel.pid }).toEqual({ shown: [], pid: session.pid });
});
