/** Asks the person for a secret without showing it, or reads it from a pipe. */
import { LimpetError } from "../../base/limpet-error.ts";
import { MAX_SECRET_BYTES } from "../../safety/secrets/secret-source.ts";

const INTERRUPTED = 130;

/** Shows `question` only in a terminal. Returns the secret without the line end after it. */
export async function askHidden(question: string): Promise<string> {
  return process.stdin.isTTY ? await askTerminal(question) : await readPipe();
}

/** One line, in raw mode: the terminal echoes nothing. Keys to correct it work as usual. */
async function askTerminal(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  let typed = "";
  try {
    for await (const part of stdin) {
      for (const key of (part as Buffer).toString("utf8")) {
        if (key === "\r" || key === "\n") return typed;
        if (key === "\x03" || (key === "\x04" && typed === "")) giveUp();
        if (key === "\x7f" || key === "\b") typed = [...typed].slice(0, -1).join("");
        else if (key === "\x15") typed = "";
        else typed += key;
      }
      requireShort(typed);
    }
    return typed;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

/** Ctrl+C, which raw mode does not turn into a signal. */
function giveUp(): never {
  process.stdin.setRawMode(false);
  process.stderr.write("\n");
  process.exit(INTERRUPTED);
}

async function readPipe(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) {
    parts.push(part as Buffer);
    requireShort(Buffer.concat(parts).toString());
  }
  return Buffer.concat(parts)
    .toString()
    .replace(/\r?\n$/, "");
}

function requireShort(text: string): void {
  if (Buffer.byteLength(text) <= MAX_SECRET_BYTES) return;
  throw new LimpetError("BAD_SECRET", `The secret has more than ${MAX_SECRET_BYTES} bytes. Give only the secret.`);
}
