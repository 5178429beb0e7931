/** Where programs run: the contract of a transport, and those that come with the package. */

export type { TerminalObservation } from "../probe/observe-terminal.ts";
export type { ReaderVerdict } from "../probe/readers/find-reader.ts";
export type { TerminalMode } from "../pty/terminal-mode.ts";
export type { Sandbox } from "../safety/sandbox/sandbox.ts";
export { type SandboxNames, sandboxTransport } from "../safety/sandbox/sandbox-transport.ts";
export { localTransport } from "../transport/local/local-transport.ts";
export type { Probe, RunningProcess } from "../transport/probe.ts";
export {
  type Script,
  type ScriptedOptions,
  type ScriptedProgram,
  scriptedTransport,
} from "../transport/scripted/scripted-transport.ts";
export type {
  Channel,
  ChannelOptions,
  FileRoots,
  OnOutput,
  Origin,
  SignalTarget,
  Transport,
} from "../transport/transport.ts";
