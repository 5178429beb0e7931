/**
 * What the adapters share: the tools of a profile, the sessions behind them, one caller, and an end. An adapter only
 * turns definitions and results into its ecosystem's form.
 *
 * A call is answered, whatever the model sent: an agent's loop owes the model a result for each call. It rejects only
 * when the caller's own signal is aborted.
 */
import { randomUUID } from "node:crypto";
import { deferred } from "../base/deferred.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { LocalService } from "../service/local-service.ts";
import type { SessionService } from "../service/session-service.ts";
import { SessionRegistry } from "../session/session-registry.ts";
import { describeLimpetError, type Tool, type ToolResult } from "../tools/define-tool.ts";
import type { ProfileName } from "../tools/profile-limits.ts";
import { type Profile, profiles } from "../tools/profiles.ts";

/** Which tools, and whose sessions. */
export interface ToolkitOptions {
  /** `all`, or one of the smaller sets `codex` and `unified`. Default `all`. */
  readonly profile?: ProfileName;
  /** Where the sessions live; closing the tools leaves them there. Default: a registry of their own with the limits of the profile. */
  readonly registry?: SessionRegistry;
  /** Instead of a registry: sessions that are reached by other means. */
  readonly sessions?: SessionService;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the waiting, never the program. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export class Toolkit {
  readonly tools: readonly Tool[];
  readonly #sessions: SessionService;
  /** Ends with the tools; undefined where somebody else's is used. */
  readonly #ownRegistry?: SessionRegistry;
  /** Unique beyond this process: the sessions may live in another one, with callers from everywhere. */
  readonly #caller: string = randomUUID();
  readonly #calls = new Set<AbortController>();
  #closing: Promise<void> | undefined;

  constructor({ profile = "all", registry, sessions }: ToolkitOptions = {}) {
    const { tools, registry: limits } = requireProfile(profile);
    if (registry && sessions) {
      throw new LimpetError("BAD_OPTION", "Both registry and sessions are given. Give one of them, or neither.");
    }
    this.tools = tools;
    if (sessions) {
      this.#sessions = sessions;
    } else {
      const held = registry ?? new SessionRegistry(limits);
      this.#sessions = new LocalService(held);
      if (!registry) this.#ownRegistry = held;
    }
  }

  async call(name: string, args: unknown, { signal }: CallOptions = {}): Promise<ToolResult> {
    signal?.throwIfAborted();
    if (this.#closing) return refuse(closed());
    const tool = this.tools.find((known) => known.name === name);
    if (!tool) return refuse(noSuchTool(name, this.tools));
    try {
      return await this.#run(tool, args, signal);
    } catch (error) {
      signal?.throwIfAborted();
      return error instanceof LimpetError ? refuse(error) : broken(name, error);
    }
  }

  /** Ends the calls that wait, and with a registry of its own all sessions. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #run(tool: Tool, args: unknown, signal: AbortSignal | undefined): Promise<ToolResult> {
    // Not AbortSignal.any: it would leave something behind in a long-lived signal with every call.
    const stop = new AbortController();
    const aborted = deferred<never>();
    const passOn = () => stop.abort(signal?.reason);
    stop.signal.addEventListener("abort", () => aborted.reject(stop.signal.reason), { once: true });
    signal?.addEventListener("abort", passOn, { once: true });
    this.#calls.add(stop);
    try {
      const context = { sessions: this.#sessions, caller: this.#caller, signal: stop.signal };
      // Typing into a program that does not read knows no signal, and would hold an aborted call for as long as it takes.
      return await Promise.race([tool.call(args, context), aborted.promise]);
    } finally {
      this.#calls.delete(stop);
      signal?.removeEventListener("abort", passOn);
    }
  }

  async #close(): Promise<void> {
    for (const call of this.#calls) call.abort(closed());
    await this.#ownRegistry?.[Symbol.asyncDispose]();
  }
}

/** An answer to a call that cannot be made. */
export function refuse(error: LimpetError): ToolResult {
  return { ...describeLimpetError(error), isError: true };
}

/** The text and the picture apart, for models that take no SVG as a picture: they read it as text. */
export function textAndPng({ text, image }: ToolResult): { readonly text: string; readonly png: string | undefined } {
  if (image?.mediaType !== "image/svg+xml") return { text, png: image?.base64 };
  return { text: `${text}\n${Buffer.from(image.base64, "base64").toString()}`, png: undefined };
}

function broken(name: string, error: unknown): ToolResult {
  const message = `${name} broke: ${error instanceof Error ? error.message : String(error)}`;
  return { text: message, structured: { error: { message } }, isError: true };
}

function requireProfile(name: string): Profile {
  const known = Object.entries(profiles).find(([profile]) => profile === name);
  if (known) return known[1];
  const names = Object.keys(profiles).join(", ");
  throw new LimpetError("BAD_OPTION", `There is no profile ${JSON.stringify(name)}. Use one of: ${names}.`);
}

function noSuchTool(name: string, tools: readonly Tool[]): LimpetError {
  const names = tools.map((tool) => tool.name).join(", ");
  return new LimpetError("BAD_OPTION", `There is no tool ${JSON.stringify(name)}. Use one of: ${names}.`);
}

function closed(): LimpetError {
  return new LimpetError("SESSION_CLOSING", "These tools are closed. Create new ones to go on.");
}
