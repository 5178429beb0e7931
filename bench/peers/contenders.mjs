/** Everyone who takes part, in the order of the tables. */
import { codex } from "./contenders/codex.mjs";
import { desktopCommander } from "./contenders/desktop-commander.mjs";
import { floor } from "./contenders/floor.mjs";
import { interactiveTerminal } from "./contenders/interactive-terminal.mjs";
import { limpet, limpetInProcess, limpetTwoTools } from "./contenders/limpet.mjs";
import { nodePty } from "./contenders/node-pty.mjs";
import { serverCommands } from "./contenders/server-commands.mjs";
import { shellServer } from "./contenders/shell-server.mjs";
import { terminalcp } from "./contenders/terminalcp.mjs";
import { tmuxMcp } from "./contenders/tmux-mcp.mjs";

export const contenders = [
  floor,
  limpet,
  limpetInProcess,
  limpetTwoTools,
  nodePty,
  codex,
  desktopCommander,
  terminalcp,
  interactiveTerminal,
  shellServer,
  serverCommands,
  tmuxMcp,
];
