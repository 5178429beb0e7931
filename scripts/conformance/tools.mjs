/** The tools that the conformance tests call, by name: `(args, context) => result`. */
import { setTimeout as sleep } from "node:timers/promises";
import { answer, audio, embedded, image } from "./content.mjs";
import { elicitations } from "./elicitations.mjs";
import { inputTools } from "./input-required.mjs";

const STEP_MS = 20;
/** A client that lost its connection comes back within this time. */
const AWAY_MS = 100;

const NO_PARAMS = { type: "object", properties: {} };

/** `$schema`, `$defs` and the other keywords must reach the client as they are. */
const FULL_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const SCHEMAS = {
  json_schema_2020_12_tool: FULL_SCHEMA,
  test_sampling: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
  test_elicitation: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
};

/** `publish`: sends a change to subscribers. */
export function testTools(publish) {
  return {
    test_simple_text: () => answer("This is a simple text response for testing."),
    test_image_content: () => answer(image),
    test_audio_content: () => answer(audio),
    test_embedded_resource: () =>
      answer(embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
    test_multiple_content_types: () =>
      answer(
        "Multiple content types test:",
        image,
        embedded("test://mixed-content-resource", "application/json", JSON.stringify({ test: "data", value: 123 })),
      ),
    test_tool_with_logging: withLogging,
    test_logging_tool: async (_, { mcpReq }) => {
      await mcpReq.log("info", "only for requests that ask for it");
      return answer("logged");
    },
    test_tool_with_progress: withProgress,
    test_error_handling: () => ({
      ...answer("This tool intentionally returns an error for testing"),
      isError: true,
    }),
    test_reconnection: async (_, { http }) => {
      http?.closeSSE?.();
      await sleep(AWAY_MS);
      return answer("answered after the connection was closed");
    },
    test_streaming_elicitation: () => answer("no request of its own"),
    test_sampling: sampled,
    json_schema_2020_12_tool: (args) => answer(JSON.stringify(args)),
    test_trigger_tool_change: () => {
      publish?.({ kind: "tools_list_changed" });
      return answer("announced");
    },
    test_trigger_prompt_change: () => {
      publish?.({ kind: "prompts_list_changed" });
      return answer("announced");
    },
    ...elicitations,
    ...inputTools,
  };
}

export function describeTestTool(name) {
  return { name, description: `For the conformance tests: ${name}`, inputSchema: SCHEMAS[name] ?? NO_PARAMS };
}

async function withLogging(_, { mcpReq }) {
  for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
    await mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });
    await sleep(STEP_MS);
  }
  return answer("Tool with logging executed successfully");
}

async function withProgress(_, { mcpReq }) {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
    const params = { progressToken, progress, total: 100, message: `${progress} of 100` };
    await mcpReq.notify({ method: "notifications/progress", params });
    await sleep(STEP_MS);
  }
  return answer(String(progressToken));
}

async function sampled({ prompt }, { mcpReq }) {
  const messages = [{ role: "user", content: { type: "text", text: prompt } }];
  const { content } = await mcpReq.send({ method: "sampling/createMessage", params: { messages, maxTokens: 100 } });
  return answer(`LLM response: ${content?.text}`);
}
