import { expect, test } from "vitest";
import { judgeWeb } from "./check-web.ts";

const DAY_MS = 86_400_000;
const status = {
  pid: 7,
  version: "1.0.0",
  startedAt: 0,
  base: "http://limpet-abc.localhost:40321",
  socket: null,
  fleet: null,
  certificateEndsMs: null,
  visitors: 0,
  streams: 0,
};
const facts = { status, hasSocket: true, version: "1.0.0", nowMs: 0 };
const secure = (days: number) => ({
  ...status,
  base: "https://build.example.org",
  certificateEndsMs: days * DAY_MS + 1,
});

test.each([
  ["none runs", { ...facts, status: undefined, hasSocket: false }, "ok", "limpet web."],
  ["it was killed", { ...facts, status: undefined }, "warn", "limpet web."],
  ["it runs on loopback", facts, "ok", "Only programs on this machine"],
  ["it has a socket file", { ...facts, status: { ...status, socket: "/run/web.sock" } }, "ok", "Only your user"],
  ["it is of another version", { ...facts, version: "1.1.0" }, "warn", "limpet 1.0.0, and this is 1.1.0"],
  ["its certificate is valid", { ...facts, status: secure(90) }, "ok", "90 more days"],
  ["its certificate ends soon", { ...facts, status: secure(3) }, "warn", "3 more days"],
  ["its certificate has expired", { ...facts, status: secure(-1) }, "warn", "has expired"],
])("%s", (_, given, verdict, meaning) => {
  expect(judgeWeb(given)).toMatchObject({ check: "web", verdict, meaning: expect.stringContaining(meaning) });
});
