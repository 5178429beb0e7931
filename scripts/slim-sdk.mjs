/**
 * A plugin for the bundle of the command line: removes work that the MCP SDK does at load time and that this server
 * never needs. It took half of the time to the first answer.
 *
 * Written for the exact version in package.json. If another version differs, the build fails.
 */
import { readFileSync } from "node:fs";

/** What the SDK imports from the platform. Its form validator, which limpet never uses, is a fifth of the total. */
const SHIMS = "@modelcontextprotocol/server/_shims";
const SHIMS_CODE = [
  'export { default as process } from "node:process";',
  "export class DefaultJsonSchemaValidator {",
  '  getValidator() { throw new Error("This server asks its users nothing."); }',
  "}",
].join("\n");

/**
 * What serves HTTP is in the same file of the SDK as what every server needs. A second copy of that file, only for the
 * code that serves HTTP, keeps it out of a server over stdin. The files behind it are shared.
 */
const SDK = "@modelcontextprotocol/server";
const FOR_HTTP = "?http";
const SERVES_HTTP = /\/src\/web\/mcp\//;

/** Two loops fill a table of all schemas by name, for lookups that limpet never makes. */
const LOOPS = 2;

/** A class of which limpet makes no instance. The SDK only asks whether something is one. */
const UNUSED_CLASSES = ["McpServer"];

export function slimSdk() {
  const found = { schemas: 0, loops: 0, classes: 0 };
  return {
    name: "slim-sdk",
    async resolveId(id, importer = "") {
      if (id === SHIMS) return SHIMS;
      if (id === SDK && SERVES_HTTP.test(importer)) {
        const found = await this.resolve(id, importer, { skipSelf: true });
        return `${found.id}${FOR_HTTP}`;
      }
      if (!importer.endsWith(FOR_HTTP)) return null;
      return await this.resolve(id, importer.slice(0, -FOR_HTTP.length), { skipSelf: true });
    },
    load(id) {
      if (id === SHIMS) return SHIMS_CODE;
      return id.endsWith(FOR_HTTP) ? readFileSync(id.slice(0, -FOR_HTTP.length), "utf8") : null;
    },
    transform(code, id) {
      if (/@modelcontextprotocol\/core\/dist\//.test(id)) {
        const calls = topLevelCalls(this.parse(code));
        found.schemas += calls.length;
        return replaced(code, calls, (call) => `/* @__PURE__ */ (() => ${call})()`);
      }
      if (/@modelcontextprotocol\/server\/dist\//.test(id)) {
        const { body } = this.parse(code);
        const loops = body.filter(({ type }) => type === "ForOfStatement");
        const classes = unusedClasses(body);
        found.loops += loops.length;
        found.classes += classes.length;
        const nodes = [...loops, ...classes].sort((one, other) => one.start - other.start);
        return replaced(code, nodes, (text) => (text.startsWith("class") ? "class {}" : ""));
      }
      return null;
    },
    buildEnd() {
      if (found.schemas > 0 && found.loops === LOOPS && found.classes === UNUSED_CLASSES.length) return;
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

function unusedClasses(body) {
  return body
    .filter(({ type }) => type === "VariableDeclaration")
    .flatMap(({ declarations }) => declarations)
    .filter(({ id, init }) => UNUSED_CLASSES.includes(id.name) && init?.type === "ClassExpression")
    .map(({ init }) => init);
}

function replaced(code, nodes, replace) {
  // From the end, so that earlier positions stay valid.
  return nodes.toReversed().reduce((text, { start, end }) => {
    return text.slice(0, start) + replace(text.slice(start, end)) + text.slice(end);
  }, code);
}
