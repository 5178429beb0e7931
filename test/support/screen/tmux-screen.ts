/** Another terminal to compare with: panes of tmux that show whatever is written to them, and what they show. */
import { execFile, execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface ShownScreen {
  readonly lines: readonly string[];
  readonly row: number;
  readonly col: number;
  readonly isAlternate: boolean;
}

export class TmuxScreen {
  readonly #directory: string;
  readonly #fifo: number;
  readonly #rows: number;
  #count = 0;

  /** A server of its own with one pane, which shows what comes through a pipe, byte for byte. */
  constructor({ cols, rows }: { readonly cols: number; readonly rows: number }) {
    this.#rows = rows;
    this.#directory = mkdtempSync(join(tmpdir(), "limpet-tmux-"));
    const pipe = join(this.#directory, "pipe");
    execFileSync("mkfifo", [pipe]);
    // Opened both ways, so that it neither blocks nor ends.
    this.#fifo = openSync(pipe, "r+");
    const config = join(this.#directory, "config");
    writeFileSync(config, "set -g status off\nset -g remain-on-exit on\nset -g default-terminal tmux-256color\n");
    const command = `stty raw -echo; exec cat ${pipe}`;
    this.#tmux(["-f", config, "new-session", "-d", "-x", String(cols), "-y", String(rows), command]);
  }

  /** What a fresh screen shows after this. */
  async show(input: Uint8Array): Promise<ShownScreen> {
    const mark = `shown-${++this.#count}`;
    // CAN ends whatever is open; the title says that all before it has been drawn.
    this.#write(Buffer.concat([Buffer.from("\x18\x1b[?1049l\x1bc"), input, Buffer.from(`\x18\x1b]2;${mark}\x1b\\`)]));
    for (let look = 0; look < 1_000; look++) {
      const { stdout } = await run("tmux", this.#args(["display", "-p", FORMAT, ";", "capture-pane", "-p", "-e"]), {
        env: ENVIRONMENT,
      });
      const [state = "", ...lines] = plainText(stdout).split("\n");
      const [title, col, row, isAlternate] = state.split(" ");
      if (title !== mark) continue;
      const rows = lines.slice(0, this.#rows);
      return { lines: rows, row: Number(row), col: Number(col), isAlternate: isAlternate === "1" };
    }
    throw new Error(`tmux has not shown ${JSON.stringify(Buffer.from(input).toString("latin1").slice(0, 200))}`);
  }

  close(): void {
    try {
      this.#tmux(["kill-server"]);
    } finally {
      closeSync(this.#fifo);
      rmSync(this.#directory, { recursive: true, force: true });
    }
  }

  /** A pipe holds 64 KiB at least; inputs are smaller. */
  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#fifo, bytes, at);
  }

  #args(args: readonly string[]): string[] {
    return ["-u", "-S", join(this.#directory, "socket"), ...args];
  }

  #tmux(args: readonly string[]): void {
    execFileSync("tmux", this.#args(args), { env: ENVIRONMENT });
  }
}

const FORMAT = "#{pane_title} #{cursor_x} #{cursor_y} #{alternate_on}";
const ENVIRONMENT = { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8", TERM: "xterm-256color", SHELL: "/bin/sh" };

/** tmux tells which letters are line graphics only together with colours: between SO and SI, over the ends of lines. */
function plainText(capture: string): string {
  return capture
    .replaceAll(/\x1b\[[\d;:]*m|\x1b\]8;[^\x1b]*\x1b\\/g, "")
    .replaceAll(/\x0e([^\x0f]*)\x0f?/g, (_, letters: string) => letters.replaceAll(/[`-~]/g, graphicOf))
    .replaceAll(/ +$/gm, "");
}

const GRAPHICS = "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·";

function graphicOf(letter: string): string {
  return GRAPHICS[letter.charCodeAt(0) - 0x60] ?? letter;
}
