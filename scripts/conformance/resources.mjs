/** The resources and prompts that the conformance tests read. */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { embedded, image, PIXEL, text } from "./content.mjs";
import { inputPrompt } from "./input-required.mjs";

const CONTENTS = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PIXEL },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched resource content" },
};
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

export const resources = Object.entries(CONTENTS).map(([uri, { mimeType }]) => ({
  uri,
  name: uri.slice("test://".length),
  description: "For the conformance tests",
  mimeType,
}));

export const templates = [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }];

/** Undefined if the tests have no such resource. */
export function readTestResource(uri) {
  const [, id] = TEMPLATE.exec(uri) ?? [];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { uri, mimeType: "application/json", text: JSON.stringify(data) };
  }
  return Object.hasOwn(CONTENTS, uri) ? { uri, ...CONTENTS[uri] } : undefined;
}

const GETTERS = {
  test_simple_prompt: () => messages(text("This is a simple prompt for testing.")),
  test_prompt_with_arguments: ({ arg1, arg2 }) =>
    messages(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  test_prompt_with_embedded_resource: ({ resourceUri }) =>
    messages(
      embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
      text("Please process the embedded resource above."),
    ),
  test_prompt_with_image: () => messages(image, text("Please analyze the image above.")),
  test_input_required_result_prompt: (_, context) => inputPrompt(context),
};

const ARGUMENTS = {
  test_prompt_with_arguments: ["arg1", "arg2"],
  test_prompt_with_embedded_resource: ["resourceUri"],
};

export const prompts = Object.keys(GETTERS).map((name) => ({
  name,
  description: "For the conformance tests",
  arguments: (ARGUMENTS[name] ?? []).map((argument) => ({ name: argument, required: true })),
}));

export function getTestPrompt({ name, arguments: given = {} }, context) {
  const missing = (ARGUMENTS[name] ?? []).find((argument) => given[argument] === undefined);
  if (missing !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${missing} is missing. Pass it.`);
  return GETTERS[name](given, context);
}

export function isTestPrompt(name) {
  return Object.hasOwn(GETTERS, name);
}

function messages(...contents) {
  return { messages: contents.map((content) => ({ role: "user", content })) };
}
