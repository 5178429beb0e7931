/** Adds to a server what the conformance tests call. What the server has itself stays as it is. */
import { getTestPrompt, isTestPrompt, prompts, readTestResource, resources, templates } from "./resources.mjs";
import { describeTestTool, testTools } from "./tools.mjs";

/** `publish`: sends a change to subscribers; undefined in the protocols before 2026. */
export function prepare(server, publish) {
  const tools = testTools(publish);
  server.registerCapabilities({ tools: { listChanged: true }, prompts: { listChanged: true }, completions: {} });
  const extend = (method, handle) => {
    const own = server._getRequestHandler(method);
    server.setRequestHandler(method, (request, context) =>
      handle(request.params ?? {}, { context, own: () => own(request, context) }),
    );
  };
  const extendList = (method, field, added) =>
    extend(method, async (_, { own }) => {
      const listed = await own();
      return { ...listed, [field]: [...listed[field], ...added] };
    });
  extendList("tools/list", "tools", Object.keys(tools).map(describeTestTool));
  extendList("resources/list", "resources", resources);
  extendList("resources/templates/list", "resourceTemplates", templates);
  extendList("prompts/list", "prompts", prompts);
  extend("tools/call", ({ name, arguments: args = {} }, { context, own }) =>
    Object.hasOwn(tools, name) ? tools[name](args, context) : own(),
  );
  extend("resources/read", ({ uri }, { own }) => {
    const content = readTestResource(uri);
    return content ? { contents: [content] } : own();
  });
  for (const method of ["resources/subscribe", "resources/unsubscribe"]) {
    extend(method, ({ uri }, { own }) => (readTestResource(uri) ? {} : own()));
  }
  extend("prompts/get", (params, { context, own }) =>
    isTestPrompt(params.name) ? getTestPrompt(params, context) : own(),
  );
  server.setRequestHandler("completion/complete", () => ({ completion: { values: [], total: 0, hasMore: false } }));
}
