import { expect, test } from "vitest";
import { noSessionsHere } from "./no-sessions-here.ts";

const { output, find, turn } = noSessionsHere();

test("a name that no host has is reported as such", async () => {
  const message = expect.stringContaining('No host of the fleet runs a session with the name "dev", or several do.');

  await expect(find("dev")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND", message });
  await expect(turn({ caller: "test", on: { kind: "session", key: "dev" } })).rejects.toMatchObject({ message });
});

test.each([7, "7"])("the id %j needs its host", async (key) => {
  await expect(find(key)).rejects.toMatchObject({
    code: "SESSION_NOT_FOUND",
    message: "The session has no host name. Write it like gpu-1/7: see limpet ls --fleet.",
  });
});

test("output that does not exist fails when it is read", async () => {
  const pages = output("dev", {})[Symbol.asyncIterator]();

  await expect(pages.next()).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});
