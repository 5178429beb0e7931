/**
 * A plugin for the bundle of the command line: removes work that the MCP SDK does at load time and that this server
 * never needs. It took half of the time to the first answer.
 *
 * Written for the exact version in package.json. If another version differs, the build fails.
 */

/** What the SDK imports from the platform. Its form validator, which limpet never uses, is a fifth of the total. */
const SHIMS = "@modelcontextprotocol/server/_shims";
const SHIMS_CODE = [
  'export { default as process } from "node:process";',
  "export class DefaultJsonSchemaValidator {",
  '  getValidator() { throw new Error("This server asks its users nothing."); }',
  "}",
].join("\n");

/** Two loops fill a table of all schemas by name, for lookups that limpet never makes. */
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
      throw new Error(`The MCP SDK has changed: ${JSON.stringify(found)}. Adapt scripts/slim-sdk.mjs to it.`);
    },
  };
}

/** `const schema = z.object(…)`: marked as free of side effects, so that unused schemas are removed. */
function topLevelCalls({ body }) {
  return body
    .filter(({ type }) => type === "VariableDeclaration")
    .flatMap(({ declarations }) => declarations.map(({ init }) => init))
    .filter((init) => init?.type === "CallExpression");
}

function replaced(code, nodes, replace) {
  // From the end, so that earlier positions stay valid.
  return nodes.toReversed().reduce((text, { start, end }) => {
    return text.slice(0, start) + replace(text.slice(start, end)) + text.slice(end);
  }, code);
}
