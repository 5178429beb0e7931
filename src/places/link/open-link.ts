/**
 * Opens a link to the host of a place: starts the command that reaches the place, finds Node there, sends the bundle if
 * it is missing, and connects. Each step has a time limit.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { untilAborted } from "../../base/async/until-aborted.ts";
import { ERROR_CODES, LimpetError } from "../../base/limpet-error.ts";
import type { ConnectRequest } from "../../host/client/connect-request.ts";
import { endWithProcess, forget } from "../../linux/end-with-process.ts";
import { unattendedEnv } from "../../transport/env/child-env.ts";
import { prefaceOf } from "../boot/bootstrap-script.ts";
import { farBoot, farBundles } from "../boot/far-bundle.ts";
import type { FarFacts, FarOrder } from "../boot/far-facts.ts";
import { type BringNode, bringNode } from "../node/bring-node.ts";
import { missingNode, parseBareFacts } from "../node/judge-node.ts";
import { CommandStream, endCommand } from "./command-stream.ts";
import { Preface, type PrefaceLine, reportedError } from "./preface.ts";
import type { Way } from "./way.ts";
import { whenOver } from "./when-over.ts";

/** A login may take long, with jump hosts or slow start files. */
const LOGIN_MS = 60_000;
/** Over an existing connection, only start files can be slow. After this time, limpet opens a new connection. */
const SHARED_LOGIN_MS = 15_000;
/** The start of Node on a slow machine. */
const FACTS_MS = 60_000;
/** 1 MB over a slow connection. */
const UPLOAD_MS = 120_000;
/** 50 MB over a slow connection. */
const BRING_MS = 1_800_000;
/** More than the 60 s that the start of a host may take. */
const CONNECT_MS = 80_000;
const MAX_STDERR_CHARS = 2_000;

export interface LinkRequest extends Pick<ConnectRequest, "mayStart" | "protocol" | "onOthers" | "signal"> {
  /** The name of the place in error messages. */
  readonly place: string;
  readonly way: Way;
  /** The directory of cached bundles on this machine. */
  readonly cache: string;
  /** How to send Node to a place that has none. Default: the call fails. */
  readonly bring?: BringNode | undefined;
}

/** Undefined if no host runs there and `mayStart` is false. */
export async function openLink(request: LinkRequest): Promise<CommandStream | undefined> {
  request.signal?.throwIfAborted();
  const nonce = randomBytes(16).toString("hex");
  const { way } = request;
  const [program = "", ...args] = way.argvFor(nonce);
  let command: ChildProcessWithoutNullStreams | undefined;
  // It may say nothing and ignore the end of its stdin, and this process may end before it has an answer: by a signal
  // that comes while the command starts, too.
  const opening = { killNow: () => command && endCommand(command) };
  endWithProcess(opening);
  try {
    // The command has its own process group and no terminal, so that Ctrl+C does not reach it and it cannot prompt.
    command = spawn(program, args, {
      stdio: "pipe",
      detached: true,
      env: unattendedEnv(),
      ...(way.cwd === undefined ? {} : { cwd: way.cwd }),
    });
    const steps = new Steps(command, { place: request.place, preface: prefaceOf(nonce) });
    return await untilAborted(bootstrap(steps, { ...request, nonce, command }), request.signal);
  } catch (error) {
    if (command) endCommand(command);
    throw error;
  } finally {
    forget(opening);
  }
}

interface Bootstrap extends LinkRequest {
  readonly nonce: string;
  readonly command: ChildProcessWithoutNullStreams;
}

async function bootstrap(steps: Steps, request: Bootstrap): Promise<CommandStream | undefined> {
  const { nonce, command, cache, mayStart, protocol, onOthers, place, way } = request;
  const loginMs = way.isShared ? SHARED_LOGIN_MS : LOGIN_MS;
  const bundleFor = farBundles(cache);
  await steps.expect("begin", { withinMs: loginMs, doing: "log in", onLate: way.onDead });
  const facts = await factsOf(steps, request);
  if (facts.platform !== "linux") {
    throw new LimpetError(
      "PLACE_UNSUPPORTED",
      `${place} is ${facts.platform}/${facts.arch}. limpet needs Linux on x64 or arm64.`,
    );
  }
  const bundle = bundleFor(facts);
  const data = facts.bundles.includes(bundle.hash) ? Buffer.alloc(0) : await bundle.data();
  const which = protocol === undefined ? [] : ["--protocol", String(protocol)];
  const start = mayStart ? [] : ["--no-start"];
  const args = ["host", "connect", "--stdio", "--nonce", nonce, ...start, ...which];
  const order: FarOrder = { hash: bundle.hash, bytes: data.length, args };
  command.stdin.write(`${JSON.stringify(order)}\n`);
  if (data.length > 0) {
    command.stdin.write(data);
    await steps.expect("unpacked", { withinMs: UPLOAD_MS, doing: "receive limpet" });
  }
  const answer = await steps.expect("connected", { withinMs: CONNECT_MS, doing: "start a host", or: "none" });
  if (answer.rest !== "") onOthers?.(JSON.parse(answer.rest) as readonly number[]);
  if (answer.word === "connected") return steps.stream(way.onDead);
  endCommand(command);
  return undefined;
}

/** Starts `far-boot` and returns its facts. Sends Node first if the place has none and the settings allow it. */
async function factsOf(steps: Steps, { command, place, bring }: Bootstrap): Promise<FarFacts> {
  const start = async (or?: string) => {
    command.stdin.write(`${farBoot().toString("base64")}\n`);
    return await steps.expect("facts", { withinMs: FACTS_MS, doing: "start Node", ...(or ? { or } : {}) });
  };
  const first = await start("no-node");
  if (first.word === "facts") return JSON.parse(first.rest) as FarFacts;
  const bare = parseBareFacts(first.rest);
  if (!bring) throw missingNode(place, bare);
  await bringNode(command.stdin, place, { ...bare, ...bring });
  await steps.expect("brought", { withinMs: BRING_MS, doing: "receive Node" });
  return JSON.parse((await start()).rest) as FarFacts;
}

interface Step {
  readonly withinMs: number;
  /** What the place does in this step, for the error message. */
  readonly doing: string;
  readonly or?: string;
  readonly onLate?: (() => void) | undefined;
}

/** Waits for the lines of the bootstrap, one after the other. */
class Steps {
  readonly #command: ChildProcessWithoutNullStreams;
  readonly #place: string;
  readonly #preface: Preface;
  #stderr = "";
  #failure: string | undefined;
  #wake = () => {};

  constructor(
    command: ChildProcessWithoutNullStreams,
    { place, preface }: { readonly place: string; readonly preface: string },
  ) {
    this.#command = command;
    this.#place = place;
    this.#preface = new Preface(preface);
    command.stdout.on("data", this.#onData);
    command.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-MAX_STDERR_CHARS);
    });
    command.stdin.on("error", () => undefined);
    command.stderr.on("error", () => undefined);
    command.on("error", (error) => this.#fail(error.message));
    whenOver(command, (how) => this.#fail(how));
  }

  /** Resolves with the expected line. Any other line is an error. */
  async expect(word: string, step: Step): Promise<PrefaceLine> {
    const deadlineMs = performance.now() + step.withinMs;
    for (;;) {
      const line = this.#preface.take();
      if (line) {
        if (line.word === word || line.word === step.or) return line;
        throw this.#refusal(line);
      }
      const leftMs = deadlineMs - performance.now();
      if (this.#failure !== undefined) throw this.#unreachable(`ended: ${this.#failure}`);
      if (leftMs <= 0) {
        step.onLate?.();
        throw this.#unreachable(`did not ${step.doing} within ${step.withinMs / 1000} s`);
      }
      await this.#more(leftMs);
    }
  }

  /** The stream of everything after the last line. */
  stream(onDead: (() => void) | undefined): CommandStream {
    this.#command.stdout.off("data", this.#onData);
    return new CommandStream(this.#command, { head: this.#preface.rest, onDead });
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#preface.push(chunk);
    this.#wake();
  };

  #fail(failure: string): void {
    this.#failure ??= failure;
    this.#wake();
  }

  async #more(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  #refusal({ word, rest }: PrefaceLine): LimpetError {
    if (word === "failed-node") {
      return new LimpetError(
        "PLACE_NO_NODE",
        `limpet sent Node to ${this.#place}, but ${rest}. Install Node 20.15 or later there.`,
      );
    }
    if (word === "failed") return reportedError(rest, (code) => ERROR_CODES.some((known) => known === code));
    return this.#unreachable(`answered ${JSON.stringify(`${word} ${rest}`.slice(0, 100))}`);
  }

  #unreachable(what: string): LimpetError {
    const said = [this.#stderr, this.#preface.noise].map((text) => text.trim()).filter((text) => text !== "");
    const words = said.length === 0 ? "It printed nothing" : `It printed: ${said.join(" / ")}`;
    const message = `The command that reaches ${this.#place} ${what}. ${words.replace(/[\r\n]+/g, " | ")}`;
    return new LimpetError("PLACE_UNREACHABLE", message);
  }
}
