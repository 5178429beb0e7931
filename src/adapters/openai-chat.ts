/** The tools for OpenAI's Chat Completions API and servers that imitate it, as plain JSON in its wire format. */
import { callWithJson } from "./call-with-json.ts";
import { type CallOptions, Toolkit, type ToolkitOptions, textAndPng } from "./toolkit.ts";

/** A function tool, for `tools` of a request. */
export interface OpenAiChatFunctionTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    /** JSON Schema. Mutable, because the SDK requires it. */
    readonly parameters: Record<string, unknown>;
    /** Always false: strict schemas have no optional parameters. */
    readonly strict: false;
  };
}

/** A call in `tool_calls` of the assistant's message. Other fields are ignored. */
export interface OpenAiChatToolCall {
  readonly id: string;
  readonly type?: string;
  /** Missing in calls of custom tools, which are not ours. */
  readonly function?: {
    readonly name: string;
    /** JSON, as the model wrote it. */
    readonly arguments: string;
  };
}

/** A message for `messages` of the next request: the result of a call, or the pictures of all results. */
export type OpenAiChatMessage =
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }
  | {
      readonly role: "user";
      readonly content: {
        readonly type: "image_url";
        readonly image_url: { readonly url: string; readonly detail: "auto" };
      }[];
    };

/** The tools in the form of the Chat Completions API. */
export interface OpenAiChatTools {
  /** A mutable array, because the SDK requires one. */
  readonly tools: OpenAiChatFunctionTool[];
  /**
   * Runs all calls of the assistant's message, in parallel, and returns the messages that follow it: a result for each
   * call, in that order. If results have pictures, a message of the user with all of them comes last, because this API
   * accepts pictures only there. A mistake of the model returns an error that says what to do. Rejects only if `signal`
   * is aborted.
   */
  handleCalls(
    calls: readonly OpenAiChatToolCall[] | null | undefined,
    options?: CallOptions,
  ): Promise<OpenAiChatMessage[]>;
  /** Ends all sessions, unless you passed the registry or the service. Closing twice is fine. */
  close(): Promise<void>;
  /** Like `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Creates the tools of a profile and the handler for the model's calls. Sessions live until `close`. */
export function createOpenAiChatTools(options: ToolkitOptions = {}): OpenAiChatTools {
  const toolkit = new Toolkit(options);
  const close = () => toolkit.close();
  return {
    tools: toolkit.tools.map(({ name, description, inputSchema }) => {
      return { type: "function", function: { name, description, parameters: { ...inputSchema }, strict: false } };
    }),
    async handleCalls(calls, callOptions) {
      const results = await Promise.all(
        (calls ?? []).map(async ({ id, function: call }) => ({
          id,
          ...textAndPng(await callWithJson(toolkit, call ?? { name: "", arguments: "" }, callOptions)),
        })),
      );
      const pictures = results.flatMap(({ png }) => (png === undefined ? [] : [png]));
      return [
        ...results.map(({ id, text }) => ({ role: "tool" as const, tool_call_id: id, content: text })),
        ...(pictures.length === 0 ? [] : [{ role: "user" as const, content: pictures.map(imagePart) }]),
      ];
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function imagePart(png: string) {
  return {
    type: "image_url" as const,
    image_url: { url: `data:image/png;base64,${png}`, detail: "auto" as const },
  };
}
