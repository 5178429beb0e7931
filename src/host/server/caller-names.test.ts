import { expect, test } from "vitest";
import { CallerNames, type NamedClient } from "./caller-names.ts";

const client = (id: string, more: Partial<NamedClient> = {}): NamedClient => ({
  id,
  project: "/api",
  starter: undefined,
  ...more,
});

/** With these starters alive. */
function namesWith(...alive: string[]): CallerNames {
  return new CallerNames((starter) => alive.includes(starter));
}

test("a name is passed on when the client that has it is gone, and not before", () => {
  const names = namesWith();
  const nameFor = (id: string) => names.nameFor(client(id), "ann");

  expect(["1", "2", "3", "1", "2"].map(nameFor)).toEqual(["ann", "ann #2", "ann #3", "ann", "ann #2"]);
  names.release(client("2"));
  expect(nameFor("4")).toBe("ann #2");
  names.release(client("1"));
  expect(["3", "5", "6"].map(nameFor)).toEqual(["ann #3", "ann", "ann #4"]);
});

test("a client with ever new callers keeps no more than so many of them", () => {
  const names = namesWith();
  for (let index = 0; index < 1_025; index += 1) names.nameFor(client("1"), `c${index}`);

  expect([names.nameFor(client("2"), "c0"), names.nameFor(client("2"), "c1")]).toEqual(["c0", "c1 #2"]);
});

test("a client that comes back has its former name, unless another client has it by then", () => {
  const names = namesWith();
  const nameFor = (id: string) => names.nameFor(client(id), "ann");
  const releaseAll = () => ["1", "2"].forEach((id) => void names.release(client(id)));
  for (const id of ["1", "2"]) nameFor(id);

  releaseAll();
  expect(["2", "1"].map(nameFor)).toEqual(["ann #2", "ann"]);

  releaseAll();
  expect(["3", "1", "2"].map(nameFor)).toEqual(["ann", "ann #2", "ann #3"]);
});

test("callers of different projects do not take names from each other", () => {
  const names = namesWith();

  const all = ["/api", "/web", null].map((project, index) => names.nameFor(client(`${index}`, { project }), "ann"));

  expect(all).toEqual(["ann", "ann", "ann"]);
});

test("clients that are restarted by the same processes get the same names back, in whatever order", () => {
  const names = namesWith("a", "b");
  const [first, second] = [client("1", { starter: "a" }), client("2", { starter: "b" })];
  for (const each of [first, second]) names.nameFor(each, "ann");
  for (const each of [first, second]) names.release(each);

  const restarted = [client("3", { starter: "b" }), client("4", { starter: "a" })];

  expect(restarted.map((each) => names.nameFor(each, "ann"))).toEqual(["ann #2", "ann"]);
});

test("a name stays for a client whose starter lives and may restart it, and is free when that has ended", () => {
  const alive = new Set(["a", "b", "c"]);
  const names = new CallerNames((starter) => alive.has(starter));
  const first = client("1", { starter: "a" });
  names.nameFor(first, "ann");
  names.release(first);

  expect(names.nameFor(client("2", { starter: "b" }), "ann")).toBe("ann #2");
  alive.delete("a");
  expect(names.nameFor(client("3", { starter: "c" }), "ann")).toBe("ann");
});

test("names that nobody uses are forgotten, the oldest first", () => {
  const names = namesWith("a");
  for (let index = 0; index < 1_025; index += 1) {
    const each = client(`${index}`, { starter: "a" });
    names.nameFor(each, `c${index}`);
    names.release(each);
  }

  expect(["c0", "c1"].map((name) => names.nameFor(client("last"), name))).toEqual(["c0", "c1 #2"]);
});
