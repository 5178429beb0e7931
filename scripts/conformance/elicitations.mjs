/** Tools that ask the client's user during the call, as in the protocols before 2026. */
import { answer } from "./content.mjs";

const DEFAULTS = {
  name: { type: "string", description: "User name", default: "John Doe" },
  age: { type: "integer", description: "User age", default: 30 },
  score: { type: "number", description: "User score", default: 95.5 },
  status: {
    type: "string",
    description: "User status",
    enum: ["active", "inactive", "pending"],
    default: "active",
  },
  verified: { type: "boolean", description: "Verification status", default: true },
};

const OPTIONS = ["option1", "option2", "option3"];

const ENUMS = {
  untitledSingle: { type: "string", description: "One option", enum: OPTIONS },
  titledSingle: { type: "string", description: "One option with titles", oneOf: titled("Option") },
  legacyEnum: {
    type: "string",
    description: "One option with names",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: {
    type: "array",
    description: "Several options",
    minItems: 1,
    maxItems: 3,
    items: { type: "string", enum: OPTIONS },
  },
  titledMulti: {
    type: "array",
    description: "Several options with titles",
    minItems: 1,
    maxItems: 3,
    items: { anyOf: titled("Choice") },
  },
};

export const elicitations = {
  test_elicitation: ({ message }, context) =>
    ask(context, message, { properties: { response: { type: "string" } }, required: ["response"] }),
  test_elicitation_sep1034_defaults: (_, context) =>
    ask(context, "Review the defaults.", { properties: DEFAULTS, required: [] }),
  test_elicitation_sep1330_enums: (_, context) =>
    ask(context, "Choose from each list.", { properties: ENUMS, required: [] }),
};

function titled(noun) {
  return ["First", "Second", "Third"].map((word, index) => ({
    const: `value${index + 1}`,
    title: `${word} ${noun}`,
  }));
}

async function ask({ mcpReq }, message, schema) {
  const params = { message, requestedSchema: { type: "object", ...schema } };
  const { action, content } = await mcpReq.send({ method: "elicitation/create", params });
  return answer(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
}
