import { expect, test } from "vitest";
import type { ArgSpecs } from "../args/command.ts";
import { offersAt } from "./offers-at.ts";

const description = "x";
const args: ArgSpecs = {
  id: { type: "positional", description },
  file: { type: "positional", description, isOptional: true },
  follow: { type: "boolean", short: "f", description },
  tail: { type: "string", hint: "N", short: "n", description },
  tools: { type: "string", hint: "all|codex", description },
  state: { type: "string", hint: "DIR", description },
  env: { type: "string", hint: "NAME=VALUE", isList: true, description },
  output: { type: "string", hint: "FILE", short: "o", description },
  at: { type: "string", hint: "PLACE", description },
  secret: { type: "boolean", isHidden: true, description },
};
const start: ArgSpecs = {
  command: { type: "program", hint: "CMD…", description },
  name: { type: "string", hint: "NAME", description },
};

function shown(specs: ArgSpecs, before: string[], current: string): string[] {
  return offersAt({ args: specs }, before, current).map((offer) => (offer.kind === "word" ? offer.word : offer.kind));
}

const FLAGS = ["--follow", "--tail", "--tools", "--state", "--env", "--output", "--at", "--help"];

test.each([
  [[], "", ["sessions"]],
  [["7"], "", ["files"]],
  [["7", "x"], "", []],
  [["--follow"], "", ["sessions"]],
  [["--tail"], "", []],
  [["-n"], "", []],
  [["-n", "5"], "", ["sessions"]],
  [["--tail=5"], "", ["sessions"]],
  [["--tools"], "", ["all", "codex"]],
  [["--state"], "", ["directories"]],
  [["-o"], "", ["files"]],
  [["--at"], "", ["places"]],
  [[], "--", FLAGS],
  [["--follow", "--env", "A=1"], "-", FLAGS.filter((flag) => flag !== "--follow")],
])("after %j, %j is completed with %j", (before, current, offers) => {
  expect(shown(args, before, current)).toEqual(offers);
});

test.each([
  [[], "", ["programs"]],
  [[], "-", ["--name", "--help"]],
  [["--name", "x"], "", ["programs"]],
  [["npm"], "-", ["files"]],
  [["npm", "run"], "", ["files"]],
  [["--"], "-", ["files"]],
])("of a program, after %j, %j is completed with %j", (before, current, offers) => {
  expect(shown(start, before, current)).toEqual(offers);
});
