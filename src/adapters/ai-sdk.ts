/** The tools for the Vercel AI SDK (`ai`), which calls them itself: `generateText`, `streamText`, agents. */
import { jsonSchema, type Tool as SdkTool, tool as sdkTool } from "ai";
import type { Tool, ToolResult } from "../tools/define-tool.ts";
import { Toolkit, type ToolkitOptions, textAndPng } from "./toolkit.ts";

export type { ToolResult } from "../tools/define-tool.ts";
export type { ProfileName } from "../tools/profile-limits.ts";
export type { ToolkitOptions } from "./toolkit.ts";

type ModelOutput = Awaited<ReturnType<NonNullable<SdkTool<unknown, ToolResult>["toModelOutput"]>>>;

/** Sessions as tools of the SDK. */
export interface AiSdkTools {
  /** By name, for `tools`. The model reads the result's `text`; your code gets all of it as the tool's output. */
  readonly tools: Record<string, SdkTool<unknown, ToolResult>>;
  /** Ends all sessions, unless they live in a registry that was given. Closing twice is fine. */
  close(): Promise<void>;
  /** Like `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The tools of a profile. The SDK's `abortSignal` ends a call's waiting, never the program. Sessions live until `close`. */
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
    // Without a validator: the tool's own words for a mistake tell the model what to do next.
    inputSchema: jsonSchema<unknown>(inputSchema),
    execute: (input, { abortSignal }): Promise<ToolResult> => toolkit.call(name, input, { signal: abortSignal }),
    // An error is a result here, and not thrown: the model reads it without the SDK's wrapping.
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
