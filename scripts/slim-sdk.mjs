/**
 * A plugin for the bundle of the command line: leaves out what the MCP SDK does when it is loaded and this server never
 * needs. Half of the time to the first answer went there.
 *
 * Fitted to the one version that package.json names. Where another is different, the build fails.
 */

/** What the SDK takes from the platform. Its checker of forms, which we never show, is a fifth of the whole. */
const SHIMS = "@modelcontextprotocol/server/_shims";
const SHIMS_CODE = [
  'export { default as process } from "node:process";',
  "export class DefaultJsonSchemaValidator {",
  '  getValidator() { throw new Error("This server asks its users nothing."); }',
  "}",
].join("\n");

/** Two loops fill a table of all schemas by name, for those who ask for one by its name. */
const LOOPS = 2;

export function slimSdk() {
  const found = { schemas: 0, loops: 0 };
  return {
    name: "slim-sdk",
    resolveId: (id) => (id === SHIMS ? SHIMS : null),
    load: (id) => (id === SHIMS ? SHIMS_CODE : null),
    transform(code, id) {
      if (/@modelcontextprotocol\/core\/dist\//.test(id)) {
        const calls = topLevelCalls(this.parse(code));
        found.schemas += calls.length;
        return replaced(code, calls, (call) => `/* @__PURE__ */ (() => ${call})()`);
      }
      if (/@modelcontextprotocol\/server\/dist\//.test(id)) {
        const loops = this.parse(code).body.filter(({ type }) => type === "ForOfStatement");
        found.loops += loops.length;
        return replaced(code, loops, () => "");
      }
      return null;
    },
    buildEnd() {
      if (found.schemas > 0 && found.loops === LOOPS) return;
      throw new Error(`The MCP SDK has changed: ${JSON.stringify(found)}. Fit scripts/slim-sdk.mjs to it.`);
    },
  };
}

/** `const schema = z.object(…)`: said to have no effect, so that those that nobody uses are left out. */
function topLevelCalls({ body }) {
  return body
    .filter(({ type }) => type === "VariableDeclaration")
    .flatMap(({ declarations }) => declarations.map(({ init }) => init))
    .filter((init) => init?.type === "CallExpression");
}

function replaced(code, nodes, replace) {
  // From the end, so that the places of the others stay.
  return nodes.toReversed().reduce((text, { start, end }) => {
    return text.slice(0, start) + replace(text.slice(start, end)) + text.slice(end);
  }, code);
}
