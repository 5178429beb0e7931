import { expect, test } from "vitest";
import { RouteTable } from "./route-table.ts";

const table = new RouteTable([
  { method: "GET", path: "/" },
  { method: "GET", path: "/api/sessions/:id" },
  { method: "POST", path: "/api/sessions/:id" },
  { method: "GET", path: "/api/sessions/latest" },
  { path: "/mcp" },
]);

test("a path finds its route and the parts that it names", () => {
  expect(table.find("GET", "/api/sessions/build%2F7")).toEqual({
    kind: "found",
    route: { method: "GET", path: "/api/sessions/:id" },
    params: { id: "build/7" },
  });
});

test("a fixed part wins over one that takes any", () => {
  expect(table.find("GET", "/api/sessions/latest")).toMatchObject({ route: { path: "/api/sessions/latest" } });
});

test("a route without a method takes all of them", () => {
  expect(table.find("PATCH", "/mcp")).toMatchObject({ kind: "found" });
});

test("another method is told which ones there are", () => {
  expect(table.find("DELETE", "/api/sessions/7")).toEqual({ kind: "other method", allow: ["GET", "POST"] });
});

test.each([
  "/api",
  "/api/sessions/",
  "/api/sessions",
  "/api/sessions/7/",
  "//api/sessions/7",
  "/api/sessions/%",
  "/api/sessions/%00",
  "/api/sessions/7%00",
  "/api/sessions/%ff",
  "/%61pi/sessions/7",
  "/API/sessions/7",
  "/api/sessions/../sessions/7",
  "/../../etc/passwd",
  "/%2e%2e%2fetc%2fpasswd",
  "/mcp/",
  "/..%5cmcp",
  "",
])("%j finds nothing", (path) => expect(table.find("GET", path)).toEqual({ kind: "nothing" }));

test("a part that climbs is a name like any other", () => {
  expect(table.find("GET", "/api/sessions/..%2F..%2Fetc%2Fpasswd")).toMatchObject({
    params: { id: "../../etc/passwd" },
  });
});

test("the same route twice is a mistake", () => {
  expect(() => new RouteTable([{ path: "/a/:id" }, { path: "/a/:name" }])).toThrow("Two routes");
});
