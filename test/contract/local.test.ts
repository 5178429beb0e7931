import { localTransport } from "../../src/entries/transport.ts";
import { localScenarios } from "./local-scenarios.ts";
import { describeWithoutProbe } from "./no-probe-contract.ts";
import { describeProbe } from "./probe-contract.ts";
import { mapTransports, withoutProbe } from "./scenarios.ts";
import { describeTransport } from "./transport-contract.ts";

const scenarios = localScenarios(localTransport);
const unprobed = mapTransports(scenarios, withoutProbe);

describeTransport("the local transport", scenarios);
describeProbe("the local transport", scenarios);
describeTransport("the local transport without its probe", unprobed);
describeWithoutProbe("the local transport without its probe", unprobed);
