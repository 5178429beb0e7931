import { expect, test } from "vitest";
import { LocalService } from "../../src/service/local-service.ts";
import { SessionRegistry } from "../../src/session/registry/session-registry.ts";

test("a session that is closed while all are listed keeps no other from being listed", async () => {
  await using registry = new SessionRegistry();
  const sessions = new LocalService(registry);
  const [stays, goes] = [await registry.open({ command: "exec cat" }), await registry.open({ command: "true" })];
  await goes.ended;

  const [, listed] = await Promise.all([sessions.close(goes.id, { force: true }), sessions.list({ ended: true })]);

  expect(listed.map(({ id }) => id)).toContain(stays.id);
});
