import { expect, test } from "vitest";
import { encodeMessage } from "../link/open-messages.ts";
import type { LeaseRecord } from "../registry/records.ts";
import { bidFor } from "./bid-for.ts";

const lease: LeaseRecord = {
  name: "gpu-1",
  epoch: 2,
  instance: "x",
  duty: "open",
  labels: [],
  sessions: 3,
  maxSessions: 4,
  load: 0.5,
  validMs: 15_000,
  version: "1",
  protocol: 1,
};
const asked: string[] = [];
const images = {
  has: async (image: string) => {
    asked.push(image);
    return image === "debian:12";
  },
};
const bid = (question: object, more: Partial<LeaseRecord> = {}) =>
  bidFor({ ...lease, ...more }, encodeMessage(question), images);

test("a bid says whether the host has the image and the workspace, and looks up only what is asked for", async () => {
  const own = { host: "gpu-1", epoch: 2, sessions: 3, free: 1, load: 0.5 };

  expect(await bid({})).toEqual({ ...own, hasImage: true, hasWorkspace: true });
  expect(asked).toEqual([]);
  expect(await bid({ image: "debian:12", workspace: "/" })).toEqual({ ...own, hasImage: true, hasWorkspace: true });
  expect(await bid({ image: "debian:13", workspace: "/dev/null" })).toEqual({
    ...own,
    hasImage: false,
    hasWorkspace: false,
  });
  expect(await bid({ image: "--all", workspace: "~" })).toEqual({ ...own, hasImage: false, hasWorkspace: true });
  expect(asked).toEqual(["debian:12", "debian:13"]);
});

test("a host that is full, draining or cordoned says so", async () => {
  expect(await bid({}, { sessions: 4 })).toEqual({ refused: "full", sessions: 4, load: 0.5 });
  expect(await bid({}, { duty: "draining" })).toEqual({ refused: "draining", sessions: 3, load: 0.5 });
  expect(await bid({}, { duty: "cordoned" })).toEqual({ refused: "cordoned", sessions: 3, load: 0.5 });
});
