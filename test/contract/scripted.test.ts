import { type Script, scriptedTransport } from "../../src/transport/scripted-transport.ts";
import { describeTransport } from "./transport-contract.ts";

const script = (play: Script) => ({ transport: scriptedTransport(play) });
const code = (number: number) => ({ kind: "code", code: number }) as const;
const forever = () => new Promise<never>(() => {});

describeTransport("the scripted transport", {
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
