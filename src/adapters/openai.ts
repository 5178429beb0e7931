/** The tools for OpenAI's Responses API, as plain JSON in its wire format, for its SDK or `fetch`. */
import { callWithJson } from "./call-with-json.ts";
import { type CallOptions, Toolkit, type ToolkitOptions, textAndPng } from "./toolkit.ts";

export type { ProfileName } from "../tools/profile-limits.ts";
export type {
  OpenAiChatFunctionTool,
  OpenAiChatMessage,
  OpenAiChatToolCall,
  OpenAiChatTools,
} from "./openai-chat.ts";
export { createOpenAiChatTools } from "./openai-chat.ts";
export type { CallOptions, ToolkitOptions } from "./toolkit.ts";

/** A function tool, for `tools` of a request. */
export interface OpenAiFunctionTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Always false: strict schemas have no optional parameters. */
  readonly strict: false;
}

/** A call in a response's `output`. Other fields are ignored. */
export interface OpenAiFunctionCall {
  readonly call_id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
}

/** The result of a call, for `input` of the next request. */
export interface OpenAiFunctionCallOutput {
  readonly type: "function_call_output";
  readonly call_id: string;
  /** An array of parts if the result has a picture. */
  readonly output: string | OpenAiOutputPart[];
}

/** One part of a result. */
export type OpenAiOutputPart =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly detail: "auto"; readonly image_url: string };

/** The tools in the form of OpenAI's API. */
export interface OpenAiTools {
  /** A mutable array, because the SDK requires one. */
  readonly tools: OpenAiFunctionTool[];
  /** Runs a call. A mistake of the model returns an error that says what to do. Rejects only if `signal` is aborted. */
  handleCall(call: OpenAiFunctionCall, options?: CallOptions): Promise<OpenAiFunctionCallOutput>;
  /**
   * Runs all function calls among the output items of a response, in parallel, and returns their outputs in that order.
   */
  handleCalls(items: readonly { readonly type?: string }[], options?: CallOptions): Promise<OpenAiFunctionCallOutput[]>;
  /** Ends all sessions, unless you passed the registry or the service. Closing twice is fine. */
  close(): Promise<void>;
  /** Like `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Creates the tools of a profile and the handler for the model's calls. Sessions live until `close`. */
export function createOpenAiTools(options: ToolkitOptions = {}): OpenAiTools {
  const toolkit = new Toolkit(options);
  const close = () => toolkit.close();
  const handleCall: OpenAiTools["handleCall"] = async (call, callOptions) => {
    const { text, png } = textAndPng(await callWithJson(toolkit, call, callOptions));
    const output = png === undefined ? text : withPicture(text, png);
    return { type: "function_call_output", call_id: call.call_id, output };
  };
  return {
    tools: toolkit.tools.map(({ name, description, inputSchema }) => {
      return { type: "function", name, description, parameters: inputSchema, strict: false };
    }),
    handleCall,
    async handleCalls(items, callOptions) {
      const calls = items.filter(({ type }) => type === "function_call") as unknown as OpenAiFunctionCall[];
      return await Promise.all(calls.map((call) => handleCall(call, callOptions)));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function withPicture(text: string, png: string): OpenAiOutputPart[] {
  return [
    { type: "input_text", text },
    { type: "input_image", detail: "auto", image_url: `data:image/png;base64,${png}` },
  ];
}
