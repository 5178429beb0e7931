/** The tools for Anthropic's Messages API, as plain JSON in its wire format, for its SDK or `fetch`. */
import { type CallOptions, Toolkit, type ToolkitOptions, textAndPng } from "./toolkit.ts";

export type { ProfileName } from "../tools/profile-limits.ts";
export type { CallOptions, ToolkitOptions } from "./toolkit.ts";

/** A tool definition, for `tools` of a request. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: AnthropicInputSchema;
}

/** JSON Schema of an object. */
export interface AnthropicInputSchema {
  readonly type: "object";
  readonly properties?: unknown;
  readonly required?: string[];
  readonly [key: string]: unknown;
}

/** A call in a message's `content`. Other fields are ignored. */
export interface AnthropicToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The result of a call, for `content` of the next user message. */
export interface AnthropicToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  /** An array of blocks if the result has a picture. */
  readonly content: string | AnthropicBlock[];
  /** The call failed. A command that fails is not an error: its exit code is in the text. */
  readonly is_error: boolean;
}

/** One part of a result. */
export type AnthropicBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly source: { readonly type: "base64"; readonly media_type: "image/png"; readonly data: string };
    };

/** The tools in the form of Anthropic's API. */
export interface AnthropicTools {
  /** A mutable array, because the SDK requires one. */
  readonly tools: AnthropicTool[];
  /** Runs a call. A mistake of the model returns an error that says what to do. Rejects only if `signal` is aborted. */
  handleCall(call: AnthropicToolUse, options?: CallOptions): Promise<AnthropicToolResult>;
  /** Runs all tool uses among the blocks of a message, in parallel, and returns their results in that order. */
  handleCalls(content: readonly { readonly type: string }[], options?: CallOptions): Promise<AnthropicToolResult[]>;
  /** Ends all sessions, unless you passed the registry or the service. Closing twice is fine. */
  close(): Promise<void>;
  /** Like `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Creates the tools of a profile and the handler for the model's calls. Sessions live until `close`. */
export function createAnthropicTools(options: ToolkitOptions = {}): AnthropicTools {
  const toolkit = new Toolkit(options);
  const close = () => toolkit.close();
  const handleCall: AnthropicTools["handleCall"] = async ({ id, name, input }, callOptions) => {
    const result = await toolkit.call(name, input, callOptions);
    const { text, png } = textAndPng(result);
    const content = png === undefined ? text : withPicture(text, png);
    return { type: "tool_result", tool_use_id: id, content, is_error: result.isError };
  };
  return {
    tools: toolkit.tools.map(({ name, description, inputSchema }) => {
      return { name, description, input_schema: { ...inputSchema, type: "object" } };
    }),
    handleCall,
    async handleCalls(content, callOptions) {
      const calls = content.filter(({ type }) => type === "tool_use") as unknown as AnthropicToolUse[];
      return await Promise.all(calls.map((call) => handleCall(call, callOptions)));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function withPicture(text: string, png: string): AnthropicBlock[] {
  return [
    { type: "text", text },
    { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
  ];
}
