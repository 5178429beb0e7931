import { expect, test } from "vitest";
import { open } from "../../test/support/watching.ts";
import { internalsOf } from "./session-internals.ts";

test("a session does not expose its internals, and internalsOf returns them", async () => {
  const session = await open({ command: "exec sleep 60" });

  const shown = ["channel", "store", "finishes", "input", "position"].filter((name) => name in session);

  expect({ shown, pid: internalsOf(session).channel.pid }).toEqual({ shown: [], pid: session.pid });
});
