/** The tools for the Vercel AI SDK (`ai`), which calls them itself: `generateText`, `streamText`, agents. */
import { jsonSchema, type Tool as SdkTool, tool as sdkTool } from "ai";
import type { Tool, ToolResult } from "../tools/tool.ts";
import { Toolkit, type ToolkitOptions, textAndPng } from "./toolkit.ts";

export type { ProfileName } from "../tools/profile-limits.ts";
export type { ToolResult } from "../tools/tool.ts";
export type { ToolkitOptions } from "./toolkit.ts";

type ModelOutput = Awaited<ReturnType<NonNullable<SdkTool<unknown, ToolResult>["toModelOutput"]>>>;

/** The tools in the form of the SDK. */
export interface AiSdkTools {
  /**
   * By name, for `tools`. The model reads the result's `text`; your code receives the whole result as the tool's
   * output.
   */
  readonly tools: Record<string, SdkTool<unknown, ToolResult>>;
  /** Ends all sessions, unless you passed the registry or the service. Closing twice is fine. */
  close(): Promise<void>;
  /** Like `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The tools of a profile. The SDK's `abortSignal` ends the wait of a call, never the program. Sessions live until
 * `close`.
 */
export function createAiSdkTools(options: ToolkitOptions = {}): AiSdkTools {
  const toolkit = new Toolkit(options);
  const close = () => toolkit.close();
  return {
    tools: Object.fromEntries(toolkit.tools.map((tool) => [tool.name, toSdkTool(toolkit, tool)])),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function toSdkTool(toolkit: Toolkit, tool: Tool): SdkTool<unknown, ToolResult> {
  const { name, description, inputSchema, annotations } = tool;
  return sdkTool({
    title: annotations.title,
    description,
    // Without a validator: the tool's own error says what to do next.
    inputSchema: jsonSchema<unknown>(inputSchema),
    execute: (input, { abortSignal }): Promise<ToolResult> => toolkit.call(name, input, { signal: abortSignal }),
    // An error is a result here, not thrown, so that the model reads it without the SDK's wrapping.
    toModelOutput: ({ output }) => toModelOutput(output),
  });
}

function toModelOutput(result: ToolResult): ModelOutput {
  const { text, png } = textAndPng(result);
  if (png === undefined) return { type: result.isError ? "error-text" : "text", value: text };
  return {
    type: "content",
    value: [
      { type: "text", text },
      { type: "image-data", data: png, mediaType: "image/png" },
    ],
  };
}
