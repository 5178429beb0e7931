/** Runs a call whose arguments are JSON in a string, as OpenAI's APIs pass them. */
import { LimpetError } from "../base/limpet-error.ts";
import type { ToolResult } from "../tools/tool.ts";
import { type CallOptions, refuse, type Toolkit } from "./toolkit.ts";

interface JsonCall {
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
}

export async function callWithJson(toolkit: Toolkit, call: JsonCall, options?: CallOptions): Promise<ToolResult> {
  const parsed = parseArguments(call);
  if (parsed instanceof LimpetError) return refuse(parsed);
  return await toolkit.call(call.name, parsed.args, options);
}

function parseArguments({ name, arguments: json }: JsonCall): { readonly args: unknown } | LimpetError {
  // Servers that imitate the API omit it or send an empty string if a tool has no required parameter, or send an
  // object.
  if (typeof json !== "string") return { args: json };
  if (json.trim() === "") return { args: {} };
  try {
    return { args: JSON.parse(json) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `The arguments of ${name} are not JSON (${why}). Send the call again with one JSON object.`;
    return new LimpetError("BAD_OPTION", message, { cause });
  }
}
