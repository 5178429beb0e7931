/**
 * One call of a tool by an MCP client: its receipts, its progress, and the questions to a person that it leads to.
 *
 * If a program waits for a password, and the client can show a link to a page for it, the person is asked before the
 * call is answered. Once the password was typed, the answer has what the program printed after it.
 */
import type { CallToolResult, InputRequiredResult, Server, ServerContext } from "@modelcontextprotocol/server";
import { WEB_LINK_MS } from "../../../base/web-limits.ts";
import type { SessionKey } from "../../../service/listing/session-name.ts";
import { guardByPolicy } from "../../../tools/guard/guard-by-policy.ts";
import type { Tool, ToolContext, ToolResult } from "../../../tools/tool.ts";
import { clientAsker, QuestionForClient, questionResult } from "../questions/client-asker.ts";
import type { PasswordCall, PasswordOutcome } from "../questions/password-links.ts";
import type { ServerParts } from "../server-parts.ts";
import { reportProgress } from "./report-progress.ts";

/** Less than the shortest time-out that people give a server: 5 s. */
const PROGRESS_EVERY_MS = 3_000;
/** How long a program may work with its password before the call is answered. */
const FOLLOW_MS = 30_000;
/** Tools that start programs. */
const STARTERS: ReadonlySet<string> = new Set(["run", "exec_command"]);

const PASSWORD_NOTES = {
  typed: "A person has typed the password in the browser, or the prompt is gone.",
  declined: "The password was asked for through the client, and the question was declined.",
  dismissed: "The password was asked for through the client, and the question was dismissed.",
  waiting: "A person was asked for the password and has not typed it yet: continue with wait_for.",
} as const;

export interface Call {
  readonly server: Server;
  readonly parts: ServerParts;
  readonly context: ServerContext;
}

export async function callTool(tool: Tool, args: unknown, call: Call): Promise<CallToolResult | InputRequiredResult> {
  const { server, parts } = call;
  const { mcpReq } = call.context;
  const { progressEveryMs = PROGRESS_EVERY_MS, receipts, limits } = parts;
  const progressToken = mcpReq._meta?.progressToken;
  const startedMs = performance.now();
  const onCancelled = () => {
    receipts.cancelled(mcpReq.id);
    limits.cancelled(performance.now() - startedMs, mcpReq.signal.reason);
  };
  receipts.start(mcpReq.id);
  mcpReq.signal.addEventListener("abort", onCancelled, { once: true });
  const longestWaitMs = limits.longestWaitMs({ hasProgress: progressToken !== undefined });
  const context: ToolContext = {
    sessions: parts.sessions,
    onReceipt: (receipt) => receipts.expect(mcpReq.id, receipt),
    caller: parts.caller(),
    signal: mcpReq.signal,
    within: parts.sandbox,
    guard: guardOf(parts, server, mcpReq),
    limits: parts.programLimits,
    longestWaitMs,
  };
  const progress =
    progressToken === undefined
      ? undefined
      : reportProgress({
          everyMs: progressEveryMs,
          notify: (params) => mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...params } }),
        });
  let fields: Readonly<Record<string, unknown>> = {};
  parts.channel?.callStarts();
  try {
    const endMs = startedMs + Math.min(longestWaitMs ?? WEB_LINK_MS, WEB_LINK_MS);
    const answer = await answerWithPasswords(tool, args, {
      call,
      context,
      password: { server, request: mcpReq, endMs },
    });
    if (answer.kind === "question") return answer.result;
    const { text, structured, image, isError } = answer.result;
    fields = structured;
    const notice = STARTERS.has(tool.name) && !isError ? parts.takeNotice() : undefined;
    const shown = [notice, answer.note, text].filter((part) => part !== undefined).join("\n");
    const picture = image ? [{ type: "image" as const, data: image.base64, mimeType: image.mediaType }] : [];
    // Some clients give their model the structured content alone: without our notes, and without the picture.
    const data = parts.structured === true ? { structuredContent: { ...structured } } : {};
    return { content: [{ type: "text" as const, text: shown }, ...picture], ...data, isError };
  } catch (error) {
    if (error instanceof QuestionForClient) return await questionResult(error);
    if (!mcpReq.signal.aborted)
      void mcpReq.log("error", `${tool.name} failed unexpectedly: ${String(error)}`, "limpet");
    throw error;
  } finally {
    // Over HTTP, the signal is also aborted after the answer.
    mcpReq.signal.removeEventListener("abort", onCancelled);
    progress?.stop();
    parts.channel?.callEnds(fields);
  }
}

interface Answering {
  readonly call: Call;
  readonly context: ToolContext;
  readonly password: PasswordCall;
}

type Answer =
  | { readonly kind: "answer"; readonly result: ToolResult; readonly note: string | undefined }
  | Extract<PasswordOutcome, { readonly kind: "question" }>;

async function answerWithPasswords(tool: Tool, args: unknown, answering: Answering): Promise<Answer> {
  const { call, context, password } = answering;
  const { passwords, receipts } = call.parts;
  const { id } = call.context.mcpReq;
  const brought = await passwords?.brought(password);
  // The tool has done its work in the call that was answered with the question.
  if (brought && brought.kind !== "question") return await follow(brought, answering);
  const result = await tool.call(args, context);
  const waiting = waitsForPassword(result);
  const asked = waiting === undefined ? undefined : await passwords?.ask(waiting, password);
  if (asked === undefined) return { kind: "answer", result, note: undefined };
  if (asked.kind === "typed") {
    receipts.again(id);
    return await follow(asked, answering);
  }
  if (asked.kind !== "question") return { kind: "answer", result, note: PASSWORD_NOTES[asked.kind] };
  receipts.cancelled(id);
  return asked;
}

type Done = Exclude<PasswordOutcome, { readonly kind: "question" }>;

/** What the session has printed, and what it prints once it has its password. */
async function follow({ kind, key }: Done, { call, context }: Answering): Promise<Answer> {
  const waitFor = call.parts.tools.find(({ name }) => name === "wait_for");
  const longestWaitMs = Math.min(FOLLOW_MS, context.longestWaitMs ?? FOLLOW_MS);
  const args = { session_ids: [key], deadline_ms: longestWaitMs };
  const result = await waitFor?.call(args, { ...context, longestWaitMs });
  if (!result) throw new Error("this profile has no wait_for");
  return { kind: "answer", result, note: PASSWORD_NOTES[kind] };
}

/** The session that the answer reports to wait for a password. */
function waitsForPassword({ structured, isError }: ToolResult): SessionKey | undefined {
  if (isError || structured["waiting_for"] !== "password" || structured["running"] !== true) return undefined;
  return structured["session_id"] as SessionKey;
}

function guardOf({ policy, tools, clientName: client }: ServerParts, server: Server, request: ServerContext["mcpReq"]) {
  return policy && guardByPolicy(policy, { tools, client, asker: clientAsker(server, request) });
}
