/** A terminal with a person at it: a shell in tmux, on a socket of its own, whose screen can be read and whose keys can be pressed. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skipTestWithout } from "../needs.ts";
import { PATIENCE_MS, until } from "../sessions.ts";

/** Each look starts a program. */
const LOOK_EVERY_MS = 100;

export interface Pane {
  /** Types text as it is. */
  type(text: string): void;
  /** As from the clipboard: between marks where the program has asked for them. */
  paste(text: string): void;
  /** Keys as tmux names them: `Enter`, `C-]`, `Up`. */
  press(...keys: string[]): void;
  /** What is on the screen, without blank lines at its end. */
  screen(): string;
  /** The same, below all that can be scrolled back to. */
  everything(): string;
  /** The same as the screen with its colours, as tmux writes them. */
  coloured(): string;
  /** Resolves when the screen has it. */
  shows(what: string | RegExp): Promise<void>;
  /** Types a line to the shell. */
  run(command: string): void;
  resize(cols: number, rows: number): void;
  /** A format of tmux, such as `#{alternate_on}`. */
  ask(format: string): string;
}

export interface Tmux extends Disposable {
  /** A command of tmux for the whole server, such as `list-buffers`; what it prints. */
  command(...words: string[]): string;
  open(size?: { readonly cols: number; readonly rows: number }): Promise<Pane>;
}

export function startTmux(env: Readonly<Record<string, string>> = {}): Tmux {
  const folder = mkdtempSync(join(tmpdir(), "limpet-tmux-"));
  const socket = join(folder, "socket");
  let panes = 0;
  const tmux = (...words: string[]) =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], {
      encoding: "utf8",
      env: { ...process.env, ...env, TMUX: "", LC_ALL: "C.UTF-8" },
    });
  return {
    command: (...words) => tmux(...words).trim(),
    async open({ cols, rows } = { cols: 80, rows: 24 }) {
      skipTestWithout("tmux");
      panes += 1;
      const target = `=p${panes}:`;
      const shell = "exec env PS1='ready> ' bash --norc --noprofile";
      tmux("new-session", "-d", "-s", `p${panes}`, "-x", String(cols), "-y", String(rows), shell);
      const pane = paneOf(tmux, target);
      await pane.shows("ready>");
      return pane;
    },
    [Symbol.dispose]() {
      if (panes > 0) tmux("kill-server");
      rmSync(folder, { recursive: true });
    },
  };
}

function paneOf(tmux: (...words: string[]) => string, target: string): Pane {
  const pane: Pane = {
    type: (text) => void tmux("send-keys", "-t", target, "-l", "--", text),
    paste(text) {
      tmux("set-buffer", "-b", "pasted", "--", text);
      tmux("paste-buffer", "-p", "-d", "-b", "pasted", "-t", target);
    },
    press: (...keys) => void tmux("send-keys", "-t", target, ...keys),
    screen: () => tmux("capture-pane", "-p", "-t", target).trimEnd(),
    everything: () => tmux("capture-pane", "-p", "-J", "-S", "-", "-t", target).trimEnd(),
    coloured: () => tmux("capture-pane", "-p", "-e", "-t", target).trimEnd(),
    async shows(what) {
      const has = () => (typeof what === "string" ? pane.screen().includes(what) : what.test(pane.screen()));
      await until(has, () => `${what} on the screen:\n${pane.screen()}`, PATIENCE_MS, LOOK_EVERY_MS);
    },
    run(command) {
      pane.type(command);
      pane.press("Enter");
    },
    resize: (cols, rows) => void tmux("resize-window", "-t", target, "-x", String(cols), "-y", String(rows)),
    ask: (format) => tmux("display-message", "-p", "-t", target, format).trim(),
  };
  return pane;
}
