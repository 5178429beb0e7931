import { type Script, scriptedTransport } from "../../src/transport/scripted/scripted-transport.ts";
import type { Transport } from "../../src/transport/transport.ts";
import { describeWithoutProbe } from "./no-probe-contract.ts";
import { describeProbe } from "./probe-contract.ts";
import type { Scenarios } from "./scenarios.ts";
import { describeTransport } from "./transport-contract.ts";

const code = (number: number) => ({ kind: "code", code: number }) as const;
const forever = () => new Promise<never>(() => {});

const scenarios = (script: (play: Script) => { readonly transport: Transport }): Scenarios => ({
  printsAndExits: script(async (program) => {
    program.print("hello\n");
    return code(7);
  }),
  answersLines: script(async (program) => {
    program.print("ready\n");
    for (let line = await program.readLine(); line !== "quit"; line = await program.readLine()) {
      program.print(`got ${line}\n`);
    }
    return code(0);
  }),
  ignoresTerm: script(async (program) => {
    program.onSignal("SIGHUP", () => {});
    program.onSignal("SIGTERM", () => {});
    program.print("ready\n");
    return await forever();
  }),
  leavesHolder: script(async (program) => {
    program.keepOpen();
    program.onSignal("SIGUSR1", () => program.print("late\n"));
    return code(3);
  }),
  printsMuch: script(async (program) => {
    for (let count = 0; count < 1000; count += 1) program.print("x".repeat(1000));
    return code(0);
  }),
  tellsSize: script(async (program) => {
    program.print("ready\n");
    for (;;) {
      const { cols, rows } = await program.resized();
      program.print(`${cols} ${rows}\n`);
    }
  }),
  tellsArguments: script(async (program) => {
    program.print(program.args.map((arg) => `[${arg}]`).join("") + program.env["GREETING"]);
    return code(0);
  }),
  asksPassword: script(async (program) => {
    program.setMode({ isCanonical: true, isEchoing: false });
    program.print("ready\n");
    await program.readLine();
    return code(0);
  }),
  copiesStdin: script(async (program) => {
    program.print("out\n");
    program.print("err\n", "stderr");
    for (let line = await program.readLine(); line !== undefined; line = await program.readLine()) {
      program.print(`${line}\n`);
    }
    return code(0);
  }),
});
const probed = scenarios((play) => ({ transport: scriptedTransport(play) }));
const unprobed = scenarios((play) => ({ transport: scriptedTransport(play, { hasProbe: false }) }));

describeTransport("the scripted transport", probed);
describeProbe("the scripted transport", probed);
describeTransport("the scripted transport without a probe", unprobed);
describeWithoutProbe("the scripted transport without a probe", unprobed);
