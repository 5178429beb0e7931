import { expect, test } from "vitest";
import { CallerNames } from "./caller-names.ts";

test("a name is passed on when the client that has it is gone, and not before", () => {
  const names = new CallerNames();

  expect(["1", "2", "3", "1", "2"].map((client) => names.nameFor(client, "ann"))).toEqual([
    "ann",
    "ann #2",
    "ann #3",
    "ann",
    "ann #2",
  ]);
  names.release("2");
  expect(names.nameFor("4", "ann")).toBe("ann #2");
  names.release("1");
  expect(["3", "5", "6"].map((client) => names.nameFor(client, "ann"))).toEqual(["ann #3", "ann", "ann #4"]);
});

test("a client with ever new callers keeps no more than so many of them", () => {
  const names = new CallerNames();
  for (let index = 0; index < 1_025; index += 1) names.nameFor("1", `c${index}`);

  expect([names.nameFor("2", "c0"), names.nameFor("2", "c1")]).toEqual(["c0", "c1 #2"]);
});

test("a client that comes back has its former name, unless another client has it by then", () => {
  const names = new CallerNames();
  for (const client of ["1", "2"]) names.nameFor(client, "ann");

  for (const client of ["1", "2"]) names.release(client);
  expect(["2", "1"].map((client) => names.nameFor(client, "ann"))).toEqual(["ann #2", "ann"]);

  for (const client of ["1", "2"]) names.release(client);
  expect(["3", "1", "2"].map((client) => names.nameFor(client, "ann"))).toEqual(["ann", "ann #2", "ann #3"]);
});
