import { sandboxTransport } from "../../src/entries/transport.ts";
import { skipWithout } from "../support/needs.ts";
import { localScenarios } from "./local-scenarios.ts";
import { describeProbe } from "./probe-contract.ts";
import { describeTransport } from "./transport-contract.ts";

skipWithout("landlock", "bwrap");

for (const keeper of ["landlock", "bwrap"] as const) {
  for (const files of ["read-only", "workspace"] as const) {
    const sandbox = { files, network: "off", project: process.cwd(), with: keeper } as const;
    const scenarios = localScenarios(sandboxTransport(sandbox));
    describeTransport(`the sandbox ${files} with ${keeper}`, scenarios);
    describeProbe(`the sandbox ${files} with ${keeper}`, scenarios);
  }
}
