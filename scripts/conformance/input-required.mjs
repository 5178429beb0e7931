/**
 * Tools and a prompt that are answered with a question, as in the protocol of 2026: the client sends the request again,
 * with the answer. The state of a tool between the two is signed, because the client sends it back.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { acceptedContent, inputRequired, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { answer } from "./content.mjs";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const KEY = randomBytes(32);

const askName = () => elicit("What is your name?", { name: { type: "string" } });
const askToConfirm = () => elicit("Please confirm.", { ok: { type: "boolean" } });
const askModel = (text) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 50 });

export const inputTools = {
  test_input_required_result_elicitation: (_, { mcpReq }) => {
    const name = acceptedContent(mcpReq.inputResponses, "user_name")?.name;
    if (typeof name !== "string") return inputRequired({ inputRequests: { user_name: askName() } });
    return answer(`Hello, ${name}!`);
  },
  test_input_required_result_sampling: (_, { mcpReq }) => {
    const reply = mcpReq.inputResponses?.capital_question;
    if (reply === undefined)
      return inputRequired({ inputRequests: { capital_question: askModel("What is the capital of France?") } });
    return answer(`The model says: ${reply.content?.text}`);
  },
  test_input_required_result_list_roots: (_, { mcpReq }) => {
    const roots = mcpReq.inputResponses?.client_roots?.roots;
    if (!Array.isArray(roots)) return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    return answer(`${roots.length} roots: ${roots.map(({ uri }) => uri).join(", ")}`);
  },
  test_input_required_result_request_state: confirmed("state-ok"),
  test_input_required_result_tampered_state: confirmed("integrity-ok"),
  test_input_required_result_multiple_inputs: (_, { mcpReq: { inputResponses: replies } }) => {
    const name = acceptedContent(replies, "user_name")?.name;
    const greeting = replies?.greeting?.content?.text;
    const roots = replies?.client_roots?.roots;
    if (typeof name === "string" && typeof greeting === "string" && Array.isArray(roots)) {
      return answer(`${greeting} ${name}, ${roots.length} roots`);
    }
    const inputRequests = {
      user_name: askName(),
      greeting: askModel("Generate a greeting."),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: sign({ round: 1 }) });
  },
  test_input_required_result_multi_round: (_, { mcpReq }) => {
    const { round = 0, name } = stateOf(mcpReq) ?? {};
    if (round === 0) return inputRequired({ inputRequests: { step1: askName() }, requestState: sign({ round: 1 }) });
    if (round === 1) {
      const given = acceptedContent(mcpReq.inputResponses, "step1")?.name;
      const step2 = elicit("What is your favorite color?", { color: { type: "string" } });
      return inputRequired({ inputRequests: { step2 }, requestState: sign({ round: 2, name: given }) });
    }
    return answer(`${name} likes ${acceptedContent(mcpReq.inputResponses, "step2")?.color}`);
  },
  test_input_required_result_capabilities: (_, { mcpReq }) => {
    if (mcpReq.inputResponses !== undefined) return answer("asked for what the client can do");
    const { elicitation, sampling, roots } = mcpReq.envelope?.[CAPABILITIES] ?? {};
    const inputRequests = {
      ...(elicitation && { user_name: askName() }),
      ...(sampling && { greeting: askModel("Generate a greeting.") }),
      ...(roots && { client_roots: inputRequired.listRoots() }),
    };
    return Object.keys(inputRequests).length > 0
      ? inputRequired({ inputRequests })
      : answer("the client can do nothing");
  },
  test_missing_capability: (_, { mcpReq }) => {
    if (mcpReq.inputResponses?.reply !== undefined) return answer("replied");
    return inputRequired({ inputRequests: { reply: askModel("Reply with one word.") } });
  },
};

/** `prompts/get` of the prompt that asks first. */
export function inputPrompt({ mcpReq }) {
  const context = acceptedContent(mcpReq.inputResponses, "user_context")?.context;
  if (typeof context === "string") {
    return { messages: [{ role: "user", content: { type: "text", text: `Use this context: ${context}` } }] };
  }
  const user_context = elicit("What context should the prompt use?", { context: { type: "string" } });
  return inputRequired({ inputRequests: { user_context } });
}

function confirmed(words) {
  return (_, { mcpReq }) => {
    const state = stateOf(mcpReq);
    const isConfirmed = acceptedContent(mcpReq.inputResponses, "confirm") !== undefined;
    if (state && isConfirmed) return answer(`${words}: the state is as it was`);
    return inputRequired({ inputRequests: { confirm: askToConfirm() }, requestState: sign({ round: 1 }) });
  };
}

function elicit(message, properties) {
  const requestedSchema = { type: "object", properties, required: Object.keys(properties) };
  return inputRequired.elicit({ message, requestedSchema });
}

/** Undefined without a state. Throws if it was changed. */
function stateOf(mcpReq) {
  const state = mcpReq.requestState();
  if (state === undefined) return undefined;
  const [payload = "", tag = ""] = String(state).split(".");
  const [given, own] = [Buffer.from(tag, "base64url"), tagOf(payload)];
  if (given.length === own.length && timingSafeEqual(given, own)) {
    return JSON.parse(Buffer.from(payload, "base64url").toString());
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The state of the request was changed. Send it as it came.");
}

function sign(state) {
  const payload = Buffer.from(JSON.stringify({ ...state, nonce: randomBytes(8).toString("hex") })).toString(
    "base64url",
  );
  return `${payload}.${tagOf(payload).toString("base64url")}`;
}

function tagOf(payload) {
  return createHmac("sha256", KEY).update(payload).digest();
}
