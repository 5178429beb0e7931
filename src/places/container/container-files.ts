/** Reads and writes files of a container that has no host: through its shell, with the engine's command line tool. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { LimpetError } from "../../base/limpet-error.ts";
import type { FileAccess, ReceivingFile } from "../../host/files/file-access.ts";
import { type CopiedFile, FILE_CHUNK_BYTES, type FileOffer, type FilePart } from "../../host/files/file-parts.ts";
import { type Container, execArgv } from "../../transport/container/container.ts";
import { runTool, type ToolResult } from "../../transport/container/run-tool.ts";
import { engineEnv } from "../../transport/env/child-env.ts";
import { END_SCRIPT, FACTS_SCRIPT, FAILURES, RECEIVE_SCRIPT } from "./file-scripts.ts";

/** Long, because the disk of a container may be slow with a large file. */
const END_MS = 600_000;
const MAX_SHOWN = 300;

export function containerFiles(container: Container): FileAccess {
  return {
    receive: (offer) => ReceivedInside.begin(container, offer),
    send: (path) => sentInside(container, path),
  };
}

/** The command that runs a script in the container. `words`: its arguments. */
function inside(container: Container, script: string, words: readonly string[]): readonly string[] {
  return execArgv(container, ["/bin/sh", "-c", script, "sh", ...words]);
}

class ReceivedInside implements ReceivingFile {
  readonly path: string;
  readonly #container: Container;
  readonly #mode: number;
  /** The temporary file in the same directory. */
  readonly #beside: string;
  readonly #tool: Tool;
  #bytes = 0;

  private constructor(
    tool: Tool,
    { container, mode, path, beside }: { container: Container; mode: number; path: string; beside: string },
  ) {
    this.#tool = tool;
    this.#container = container;
    this.#mode = mode;
    this.path = path;
    this.#beside = beside;
  }

  static async begin(container: Container, { path, name, mode }: FileOffer): Promise<ReceivedInside> {
    if (`${path}${name}`.includes("\n"))
      throw new LimpetError("FILE_FAILED", `${JSON.stringify(path)} has a line feed. Use another path.`);
    const tool = new Tool(inside(container, RECEIVE_SCRIPT, [path, name, randomBytes(6).toString("hex")]));
    const [target, beside] = await tool.lines(2);
    if (target === undefined || beside === undefined) throw failure("write", path, await tool.result);
    return new ReceivedInside(tool, { container, mode: mode & 0o777, path: target, beside });
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.length;
    if (!(await this.#tool.write(chunk))) throw failure("write", this.path, await this.#tool.result);
  }

  async end(sha256: string): Promise<CopiedFile> {
    this.#tool.end();
    const arrived = await this.#tool.result;
    const words = [this.#beside, this.path, this.#mode.toString(8), sha256, String(this.#bytes)];
    const moved = arrived.code === 0 ? await runTool(inside(this.#container, END_SCRIPT, words), END_MS) : arrived;
    if (moved.code === 0) return { path: this.path, bytes: this.#bytes };
    await this.discard();
    throw failure("write", this.path, moved);
  }

  async discard(): Promise<void> {
    this.#tool.kill();
    await this.#tool.result;
    await runTool(execArgv(this.#container, ["rm", "-f", this.#beside]));
  }
}

async function* sentInside(container: Container, path: string): AsyncGenerator<FilePart, void, undefined> {
  const facts = await runTool(inside(container, FACTS_SCRIPT, [path]));
  const [, bytes = "", mode = ""] = /^\s*(\d+)\s+([0-7]+)\s*$/.exec(facts.stdout) ?? [];
  if (facts.code !== 0 || bytes === "") throw failure("read", path, facts);
  yield { kind: "file", path, bytes: Number(bytes), mode: Number.parseInt(mode, 8) & 0o777 };
  const tool = new Tool(execArgv(container, ["cat", path]));
  try {
    const hash = createHash("sha256");
    for await (const piece of tool.output()) {
      hash.update(piece);
      for (let at = 0; at < piece.length; at += FILE_CHUNK_BYTES)
        yield { kind: "chunk", data: piece.subarray(at, at + FILE_CHUNK_BYTES) };
    }
    const result = await tool.result;
    if (result.code !== 0) throw failure("read", path, result);
    yield { kind: "end", sha256: hash.digest("hex") };
  } finally {
    tool.kill();
  }
}

/** A running command line tool of an engine. */
class Tool {
  readonly #process: ChildProcessWithoutNullStreams;
  /** Without stdout. */
  readonly result: Promise<ToolResult>;

  constructor([program = "", ...args]: readonly string[]) {
    this.#process = spawn(program, args, { env: engineEnv(), stdio: "pipe" });
    let stderr = "";
    this.#process.stderr.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-MAX_SHOWN);
    });
    this.#process.stdin.on("error", () => undefined);
    this.result = new Promise((resolve) => {
      this.#process.once("error", ({ message }) => resolve({ code: null, stdout: "", stderr: message }));
      this.#process.once("close", (code) => resolve({ code, stdout: "", stderr }));
    });
  }

  /** The first lines of its stdout; fewer if it ends before. */
  async lines(count: number): Promise<readonly string[]> {
    let text = "";
    for await (const chunk of this.#process.stdout) {
      text += String(chunk);
      if (text.split("\n").length > count) break;
    }
    return text.split("\n").slice(0, -1);
  }

  output(): AsyncIterable<Buffer> {
    return this.#process.stdout;
  }

  /** False if the tool has ended. */
  async write(chunk: Uint8Array): Promise<boolean> {
    const { stdin } = this.#process;
    if (!stdin.writable) return false;
    if (!stdin.write(chunk)) await Promise.race([once(stdin, "drain").catch(() => undefined), this.result]);
    return stdin.writable;
  }

  end(): void {
    this.#process.stdin.end();
  }

  kill(): void {
    this.#process.kill("SIGKILL");
  }
}

function failure(what: "read" | "write", path: string, { code, stderr }: ToolResult): LimpetError {
  const words = stderr.replace(/\s+/g, " ").trim().slice(-MAX_SHOWN);
  const [problem, remedy] = FAILURES[code ?? -1] ?? ([words, "Fix that, and try again."] as const);
  return new LimpetError("FILE_FAILED", `Could not ${what} ${path} in the container (${problem}). ${remedy}`);
}
