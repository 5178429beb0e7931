/** Tools as a client calls them: by name, with plain arguments, against real programs. */
import { expect } from "vitest";
import type { Allowed } from "../../src/base/allowance.ts";
import type { SandboxRequest } from "../../src/base/sandbox-request.ts";
import type { SessionLimits } from "../../src/base/session-limits.ts";
import { LocalService } from "../../src/service/local-service.ts";
import type { SessionService } from "../../src/service/session-service.ts";
import type { RegistryOptions } from "../../src/session/registry/registry-options.ts";
import { SessionRegistry } from "../../src/session/registry/session-registry.ts";
import { isHeaderLine } from "../../src/tools/answer/own-lines.ts";
import type { ProfileName } from "../../src/tools/profile-limits.ts";
import { profiles, toolsOf } from "../../src/tools/profiles.ts";
import type { ToolResult } from "../../src/tools/tool.ts";
import { isThroughHost, serveForTest } from "./host/host.ts";
import { mismatches } from "./json-schema.ts";
import { parseAnswer } from "./parse-answer.ts";
import { isAtPlace, skipAtPlace } from "./places/is-at-place.ts";
import { clientOfPlace } from "./places/place-under-test.ts";

interface CallOptions {
  readonly caller?: string;
  readonly signal?: AbortSignal;
  readonly longestWaitMs?: number;
  readonly within?: Allowed<SandboxRequest>;
  readonly limits?: Allowed<SessionLimits>;
}

/** The tools of a profile, and the sessions that they use. */
export interface ToolCalls {
  readonly sessions: SessionService;
  /** Whatever it answers is checked against the tool's output schema. */
  raw(name: string, args: unknown, options?: CallOptions): Promise<ToolResult>;
  /** Must not be an error. */
  call(name: string, args?: unknown, options?: CallOptions): Promise<Answer>;
  /** Must be an error; gives its text. */
  refusal(name: string, args?: unknown): Promise<string>;
}

export interface Toolbox extends ToolCalls, AsyncDisposable {
  readonly registry: SessionRegistry;
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows the fields of its own tool.
type Answer = ToolResult & { readonly structured: Record<string, any> };

export function openTools(profile: ProfileName = "all", options: RegistryOptions = {}): Toolbox {
  if (isAtPlace()) return toolsAtPlace(profile, options);
  const registry = new SessionRegistry({ ...profiles[profile].registry, ...options });
  const local = new LocalService(registry);
  const served = isThroughHost() ? serveForTest(local) : undefined;
  return {
    registry,
    ...callsOf(served?.sessions ?? local, profile),
    async [Symbol.asyncDispose]() {
      await registry.closeAll({ force: true });
      served?.close();
    },
  };
}

function toolsAtPlace(profile: ProfileName, options: RegistryOptions): Toolbox {
  if (profile !== "all" || Object.keys(options).length > 0) skipAtPlace("it needs limits of its own");
  const client = clientOfPlace();
  return {
    get registry() {
      return skipAtPlace("it looks at the registry");
    },
    ...callsOf(client, profile),
    async [Symbol.asyncDispose]() {
      const left = await client.list({ ended: true });
      await Promise.all(left.map(({ id }) => client.close(id, { force: true }).catch(() => undefined)));
      client.disconnect();
    },
  };
}

/** The tools for sessions that are there, which may span places. */
export function openToolsOn(sessions: SessionService, places: readonly string[] = []): ToolCalls {
  return callsOf(sessions, "all", places);
}

function callsOf(sessions: SessionService, profile: ProfileName, places: readonly string[] = []): ToolCalls {
  const tools = toolsOf(profile, places);
  async function raw(name: string, args: unknown, { caller = "test", ...rest }: CallOptions = {}) {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`No tool ${name} in ${profile}`);
    const result = await tool.call(args, { sessions, caller, ...rest });
    if (profile === "all") expect(unknownLines(result.text), "add the form of this line to own-lines.ts").toEqual([]);
    const onTheWire = JSON.parse(JSON.stringify(result.structured));
    if (!result.isError && tool.outputSchema) expect(mismatches(tool.outputSchema, onTheWire)).toEqual([]);
    return result;
  }
  return {
    sessions,
    raw,
    async call(name, args = {}, callOptions = {}) {
      const result = await raw(name, args, callOptions);
      if (result.isError) throw new Error(`${name} failed: ${result.text}`);
      return result;
    },
    async refusal(name, args = {}) {
      const result = await raw(name, args);
      if (!result.isError) throw new Error(`${name} was not refused: ${result.text}`);
      return result.text;
    },
  };
}

/** Lines before the output that limpet would not recognise as its own. */
function unknownLines(text: string): string[] {
  return parseAnswer(text).header.filter((line) => !isHeaderLine(line));
}

/** Times, pids and tags as letters; ids in the order in which they appear. */
export function normalise(text: string): string {
  const ids = new Map<string, string>();
  const idOf = (id: string) => {
    const letter = ids.get(id) ?? `#${ids.size + 1}`;
    ids.set(id, letter);
    return letter;
  };
  const tags = [...text.matchAll(/\(only (~[0-9a-z]{4}) lines are limpet's\):$/gm)].map(([, tag]) => tag ?? "");
  return (
    tags
      .reduce((all, tag) => all.replaceAll(`${tag} `, "~tag "), text)
      .replaceAll(process.cwd(), "CWD")
      .replace(/^Wall time: \d+\.\d{3} seconds$/gm, "Wall time: T seconds")
      .replace(/^Quiet: no output for \d+\.\d s$/gm, "Quiet: no output for T s")
      .replace(
        /([Ss]ession ID |session_id=|session_ids=\[|[Ss]ession |session )(\d+)/g,
        (_all, before: string, id: string) => before + idOf(id),
      )
      .replace(/(Still running: )(.*)/g, (_all, before: string, list: string) => {
        return before + list.replace(/(^|, )(\d+)/g, (_one, comma: string, id: string) => comma + idOf(id));
      })
      .replace(/^(\d+)(?=( \([^)]*\))?: (running|waiting|exited|killed))/gm, (id) => idOf(id))
      .replace(/\b(open: |in use \()([^)]*)\)/g, (_all, before: string, list: string) => {
        return `${before}${list.replace(/(^|, )(\d+)/g, (_one, comma: string, id: string) => comma + idOf(id))})`;
      })
      // A shell that is about to become another program still has its own name.
      .replace(/\b(sh|sleep) \(\d+, (SIG\w+)\)/g, "PROGRAM (PID, $2)")
      .replace(/, \d+ (s|min|h):/g, ", T:")
  );
}
