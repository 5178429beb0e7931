/**
 * The part that all adapters share: the tools of a profile, their sessions, one caller and `close`. An adapter only
 * converts definitions and results to the form of its ecosystem.
 *
 * Every call returns a result, whatever the model sent, because an agent's loop must send the model a result for each
 * call. It rejects only if the caller's own signal is aborted.
 */
import { randomUUID } from "node:crypto";
import type { Allowed } from "../base/allowance.ts";
import { deferred } from "../base/async/deferred.ts";
import { onAbort } from "../base/async/on-abort.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import type { SessionLimits } from "../base/session-limits.ts";
import { TemporaryDirectory } from "../linux/temporary-directory.ts";
import { requireSandbox } from "../safety/sandbox/read-sandbox.ts";
import type { Approval } from "../service/approvals/approval.ts";
import { LocalService } from "../service/local-service.ts";
import type { SessionService } from "../service/session-service.ts";
import type { RegistryOptions } from "../session/registry/registry-options.ts";
import { SessionRegistry } from "../session/registry/session-registry.ts";
import { describeLimpetError } from "../tools/define-tool.ts";
import type { ApprovalAnswer, ClientAsker } from "../tools/guard/client-asker.ts";
import type { Guard } from "../tools/guard/guard.ts";
import { guardByPolicy } from "../tools/guard/guard-by-policy.ts";
import type { PolicyOptions } from "../tools/guard/policy-options.ts";
import type { ProfileName } from "../tools/profile-limits.ts";
import { type Profile, profiles } from "../tools/profiles.ts";
import type { Tool, ToolContext, ToolResult } from "../tools/tool.ts";

/** Which tools to create, and where their sessions live. */
export interface ToolkitOptions {
  /** `all`, or one of the smaller sets `codex` and `unified`. Default `all`. */
  readonly profile?: ProfileName;
  /** Where the sessions live; `close` does not end them. Default: a new registry with the limits of the profile. */
  readonly registry?: SessionRegistry;
  /** Use this service instead of a registry, for example `service` of a host. */
  readonly sessions?: SessionService;
  /** The rules for what the model does. Default: it may do everything. */
  readonly policy?: PolicyOptions;
  /**
   * Asks a person about what the rules ask about; the signal ends the question. Default: such calls fail with
   * `APPROVAL_NEEDED`.
   */
  readonly approve?: (approval: Approval, signal: AbortSignal) => Promise<ApprovalAnswer>;
  /**
   * What programs of the model may do: the default and the ceiling of what it can ask for, or one sandbox for both.
   * Default: all that the user may do.
   */
  readonly sandbox?: Allowed<SandboxRequest>;
  /** What programs of the model may use, like `sandbox`. Default: no limits. */
  readonly programLimits?: Allowed<SessionLimits>;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the wait, never the program. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export class Toolkit {
  readonly tools: readonly Tool[];
  readonly #sessions: SessionService;
  /** `close` ends its sessions. Undefined if the caller passed a registry or a service. */
  readonly #ownRegistry?: SessionRegistry;
  /** Unique across processes, because the sessions may live in a host with other callers. */
  readonly #caller: string = randomUUID();
  readonly #guard: Guard | undefined;
  readonly #allowed: Pick<ToolContext, "within" | "limits">;
  #journals: TemporaryDirectory | undefined;
  readonly #calls = new Set<AbortController>();
  #closing: Promise<void> | undefined;

  constructor({ profile = "all", registry, sessions, policy, approve, ...allowed }: ToolkitOptions = {}) {
    const { tools, registry: limits } = requireProfile(profile);
    if (registry && sessions) {
      throw new LimpetError("BAD_OPTION", "registry and sessions cannot be combined. Pass one of them, or neither.");
    }
    this.tools = tools;
    this.#allowed = { within: requireAllowed(allowed.sandbox), limits: allowed.programLimits };
    this.#guard = policy && guardByPolicy(policy, { tools, asker: approve && askerOf(approve) });
    if (sessions) {
      this.#sessions = sessions;
    } else {
      const own = registry ?? this.#openRegistry(limits);
      this.#sessions = new LocalService(own);
      if (!registry) this.#ownRegistry = own;
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
      return error instanceof LimpetError ? refuse(error) : unexpected(name, error);
    }
  }

  #openRegistry(limits: RegistryOptions): SessionRegistry {
    this.#journals = new TemporaryDirectory("journals");
    const stateDirectory = this.#journals.path;
    return new SessionRegistry({ ...limits, defaults: { ...limits.defaults, stateDirectory } });
  }

  /** Ends waiting calls, and all sessions of its own registry. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #run(tool: Tool, args: unknown, signal: AbortSignal | undefined): Promise<ToolResult> {
    // Not AbortSignal.any, which would leak memory in a long-lived signal with every call.
    const stop = new AbortController();
    const aborted = deferred<never>();
    onAbort(stop.signal, () => aborted.reject(stop.signal.reason));
    const forget = onAbort(signal, () => stop.abort(signal?.reason));
    this.#calls.add(stop);
    try {
      const [sessions, caller, guard] = [this.#sessions, this.#caller, this.#guard];
      const context = { sessions, caller, guard, ...this.#allowed, signal: stop.signal };
      // Typing into a program that does not read ignores the signal, and would block an aborted call.
      return await Promise.race([tool.call(args, context), aborted.promise]);
    } finally {
      this.#calls.delete(stop);
      forget();
    }
  }

  async #close(): Promise<void> {
    for (const call of this.#calls) call.abort(closed());
    await this.#ownRegistry?.[Symbol.asyncDispose]();
    this.#journals?.remove();
  }
}

/** A callback that fails has not asked anybody: then nothing may run. */
function askerOf(approve: NonNullable<ToolkitOptions["approve"]>): ClientAsker {
  return {
    async ask(approval, signal) {
      try {
        return await approve(approval, signal);
      } catch (cause) {
        if (signal.aborted) return undefined;
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new LimpetError(
          "APPROVAL_NEEDED",
          `Nothing was run: a person must approve it first, but asking failed: ${why}. Repeat the call later, or do it another way.`,
          { cause },
        );
      }
    },
  };
}

/** The result of a call that cannot run. */
export function refuse(error: LimpetError): ToolResult {
  return { ...describeLimpetError(error), isError: true };
}

/** Separates text and picture for models that do not accept SVG as a picture: SVG becomes part of the text. */
export function textAndPng({ text, image }: ToolResult): { readonly text: string; readonly png: string | undefined } {
  if (image?.mediaType !== "image/svg+xml") return { text, png: image?.base64 };
  return { text: `${text}\n${Buffer.from(image.base64, "base64").toString()}`, png: undefined };
}

function unexpected(name: string, error: unknown): ToolResult {
  const message = `${name} failed unexpectedly: ${error instanceof Error ? error.message : String(error)}`;
  return { text: message, structured: { error: { message } }, isError: true };
}

function requireProfile(name: string): Profile {
  const known = Object.entries(profiles).find(([profile]) => profile === name);
  if (known) return known[1];
  const names = Object.keys(profiles).join(", ");
  throw new LimpetError(
    "BAD_OPTION",
    `profile is ${JSON.stringify(name)}, which does not exist. Use one of: ${names}.`,
  );
}

function noSuchTool(name: string, tools: readonly Tool[]): LimpetError {
  const names = tools.map((tool) => tool.name).join(", ");
  return new LimpetError("BAD_OPTION", `The tool ${JSON.stringify(name)} does not exist. Use one of: ${names}.`);
}

function closed(): LimpetError {
  return new LimpetError("SESSION_CLOSING", "These tools are closed. Create new ones.");
}

/** Refuses a mistake at once, and not when the model starts a program. */
function requireAllowed(sandbox: ToolkitOptions["sandbox"]): ToolkitOptions["sandbox"] {
  if (sandbox === undefined || typeof sandbox === "function") return sandbox;
  const isPair = typeof sandbox === "object" && sandbox !== null && "ceiling" in sandbox;
  const [usual, most] = isPair ? [sandbox.default, sandbox.ceiling] : [sandbox, sandbox];
  return { default: requestOf(usual), ceiling: requestOf(most) };
}

function requestOf(sandbox: SandboxRequest | undefined): SandboxRequest | undefined {
  const request = sandbox === undefined ? "off" : requireSandbox(sandbox);
  return request === "off" ? undefined : request;
}
