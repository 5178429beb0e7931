import { sandboxTransport } from "../../src/entries/transport.ts";
import { skipWithout } from "../support/needs.ts";
import { localScenarios } from "./local-scenarios.ts";
import { describeProbe } from "./probe-contract.ts";
import { describeTransport } from "./transport-contract.ts";

skipWithout("landlock");

for (const files of ["read-only", "workspace"] as const) {
  const scenarios = localScenarios(sandboxTransport({ files, network: "off", project: process.cwd() }));
  describeTransport(`the sandbox ${files}`, scenarios);
  describeProbe(`the sandbox ${files}`, scenarios);
}
