import { expect, test } from "vitest";
import type { Visitor } from "../route.ts";
import { checkRight } from "./check-right.ts";

const person: Visitor = { caller: "web 1", right: "control", isPerson: true, session: null };
const watcher: Visitor = { ...person, right: "view" };
const agent: Visitor = { caller: "laptop", right: "control", isPerson: false, session: null };
const guest: Visitor = { ...person, session: "7" };

const statusOf = (...[route, visitor, params]: Parameters<typeof checkRight>) =>
  checkRight(route, visitor, params)?.status ?? 200;

test("anyone reaches what is open to all, and nobody else anything", () => {
  expect(statusOf({ right: null }, undefined, {})).toBe(200);
  expect(statusOf({ right: "view" }, undefined, {})).toBe(401);
});

test("who watches cannot control", () => {
  expect(statusOf({ right: "view" }, watcher, {})).toBe(200);
  expect(statusOf({ right: "control" }, watcher, {})).toBe(403);
});

test("an agent cannot do what is for people", () => {
  expect(statusOf({ right: "control" }, agent, {})).toBe(200);
  expect(statusOf({ right: "control", isForPeople: true }, agent, {})).toBe(403);
  expect(statusOf({ right: "control", isForPeople: true }, person, {})).toBe(200);
});

test.each([
  [{ id: "7" }, 200],
  [{ id: "8" }, 403],
  [{ id: "build/7" }, 403],
  [{ id: "dev" }, 403],
  [{ number: "7" }, 403],
  [{}, 403],
])("a shared link to session 7 with %j gets %i", (params, status) => {
  expect(statusOf({ right: "view" }, guest, params as Record<string, string>)).toBe(status);
});

test("a route that limits itself is reached with a shared link", () => {
  expect(statusOf({ right: "view", isForShared: true }, guest, {})).toBe(200);
  expect(statusOf({ right: "control", isForShared: true }, { ...guest, right: "view" }, {})).toBe(403);
});

test("a link for one password prompt reaches nothing else of its session", () => {
  const answerer: Visitor = { ...guest, prompt: "token" };

  expect(statusOf({ right: "control", isForPeople: true, isForPrompt: true }, answerer, { id: "7" })).toBe(200);
  expect(statusOf({ right: "control", isForPrompt: true }, answerer, { id: "8" })).toBe(403);
  expect(statusOf({ right: "view" }, answerer, { id: "7" })).toBe(403);
  expect(statusOf({ right: "view", isForShared: true }, answerer, {})).toBe(403);
});
