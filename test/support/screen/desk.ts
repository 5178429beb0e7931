/** A command line and a tmux beside it: where a person attaches to sessions, and what is left of that. */
import { readFileSync } from "node:fs";
import { type Cli, openCli } from "../cli.ts";
import { type Pane, startTmux, type Tmux } from "./tmux.ts";

/** All that a program can leave switched on in a terminal, as tmux knows it. */
export const MODES =
  "#{alternate_on} #{cursor_flag} #{insert_flag} #{keypad_cursor_flag} #{keypad_flag} #{mouse_any_flag} #{wrap_flag} #{origin_flag} #{scroll_region_upper} #{scroll_region_lower}";

export interface Desk extends AsyncDisposable {
  readonly cli: Cli;
  readonly tmux: Tmux;
}

export function openDesk(): Desk {
  const cli = openCli();
  const tmux = startTmux(cli.env);
  return {
    cli,
    tmux,
    async [Symbol.asyncDispose]() {
      tmux[Symbol.dispose]();
      await cli[Symbol.asyncDispose]();
    },
  };
}

/** The settings and modes of the terminal, asked for in the shell. */
export async function stateOf(pane: Pane, name: string): Promise<string> {
  // Longer than a line, so tmux shows it in two.
  const settings = new RegExp(`^${name}=([0-9a-f:\\n]+)=$`, "m");
  pane.run(`clear; echo ${name}=$(stty -g)=`);
  await pane.shows(settings);
  return `${settings.exec(pane.screen())?.[1]?.replaceAll("\n", "")} ${pane.ask(MODES)}`;
}

/** The program that runs in the foreground of a pane's shell. */
export function programIn(pane: Pane): number {
  const shell = pane.ask("#{pane_pid}");
  const pid = Number.parseInt(readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8"), 10);
  if (!(pid > 1)) throw new Error(`No program runs in the shell ${shell}.`);
  return pid;
}

export function isAlive(pid: number): boolean {
  return environmentOf(pid) !== "";
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
