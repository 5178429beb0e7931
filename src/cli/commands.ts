/** The table of commands. Each is loaded when it runs. */
import type { CommandTable } from "./run-cli.ts";

export const commands: CommandTable = {
  run: async () => (await import("./commands/run.ts")).run,
  start: async () => (await import("./commands/start.ts")).start,
  ls: async () => (await import("./commands/ls.ts")).ls,
  top: async () => (await import("./commands/top.ts")).top,
  attach: async () => (await import("./commands/attach.ts")).attach,
  send: async () => (await import("./commands/send.ts")).send,
  wait: async () => (await import("./commands/wait.ts")).wait,
  history: async () => (await import("./commands/history.ts")).history,
  logs: async () => (await import("./commands/logs.ts")).logs,
  screen: async () => (await import("./commands/screen.ts")).screen,
  screenshot: async () => (await import("./commands/screenshot.ts")).screenshot,
  kill: async () => (await import("./commands/kill.ts")).kill,
  hold: async () => (await import("./commands/hold.ts")).hold,
  release: async () => (await import("./commands/release.ts")).release,
  record: async () => (await import("./commands/record.ts")).record,
  replay: async () => (await import("./commands/replay.ts")).replay,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  host: async () => (await import("./commands/host.ts")).host,
  setup: async () => (await import("./commands/setup.ts")).setup,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  demo: async () => (await import("./commands/demo.ts")).demo,
  completion: async () => (await import("./commands/completion.ts")).completionOf(commands),
};
