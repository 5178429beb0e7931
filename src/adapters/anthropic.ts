/** The tools for Anthropic's Messages API: plain JSON in its wire format, for its SDK or for `fetch`. */
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

/** What a message's `content` has for each call. Other fields of it do no harm. */
export interface AnthropicToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The answer, for `content` of the next user message. */
export interface AnthropicToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  /** Blocks where there is a picture. */
  readonly content: string | AnthropicBlock[];
  /** The call could not be carried out. A command that fails is no error: its exit code is in the text. */
  readonly is_error: boolean;
}

/** A piece of an answer. */
export type AnthropicBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly source: { readonly type: "base64"; readonly media_type: "image/png"; readonly data: string };
    };

/** Sessions as tools for Claude. */
export interface AnthropicTools {
  /** A mutable array, as the SDK wants it. */
  readonly tools: AnthropicTool[];
  /** Carries a call out. Mistakes of the model are answered with what to do next; it rejects only when `signal` is aborted. */
  handleCall(call: AnthropicToolUse, options?: CallOptions): Promise<AnthropicToolResult>;
  /** Carries out all tool uses among the blocks of a message, side by side, and returns their results in that order. */
  handleCalls(content: readonly { readonly type: string }[], options?: CallOptions): Promise<AnthropicToolResult[]>;
  /** Ends all sessions, unless they live in a registry that was given. Closing twice is fine. */
  close(): Promise<void>;
  /** Like `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The tools of a profile, and what answers the model's calls. Sessions live until `close`. */
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
