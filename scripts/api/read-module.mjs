/** Pure: parses one declaration file: what it declares, imports and exports. */
import { join } from "node:path/posix";
import { parseSync } from "rolldown/utils";

/**
 * `{ file, code, comments, locals, imports, exports }`. `locals` has the statements by name, several if a function is
 * overloaded. `imports` and `exports` have `{ file, name }` by name, with an undefined `file` for another package.
 */
export function readModule(file, code) {
  const { program, comments, errors } = parseSync(file, code, { lang: "dts" });
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const module = { file, code, comments, locals: new Map(), imports: new Map(), exports: new Map() };
  for (const statement of program.body) readStatement(module, statement);
  return module;
}

/** The text of the doc comment before `node`, or before its `|`, without its stars; "" if it has none. */
export function docOf({ code, comments }, node) {
  const before = comments.filter(
    (each) => each.end <= node.start && /^[\s|(]*$/.test(code.slice(each.end, node.start)),
  );
  const last = before.at(-1);
  return last?.type === "Block" && last.value.startsWith("*") ? commentText(last.value) : "";
}

/** The comment at the top of a source file, if it describes the file and not its first declaration. */
export function headerOf(source) {
  const [, comment = ""] = /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?=\n|import |export (?:type )?\{)/.exec(source) ?? [];
  return commentText(comment);
}

function commentText(comment) {
  return comment
    .replace(/^\s*\* ?/gm, "")
    .replace(/^\*/, "")
    .trim();
}

function readStatement(module, statement) {
  if (statement.type === "ImportDeclaration") {
    for (const { local, imported } of statement.specifiers) {
      module.imports.set(local.name, { file: target(module, statement.source), name: imported?.name ?? local.name });
    }
    return;
  }
  if (statement.type !== "ExportNamedDeclaration") return addLocals(module, statement, statement);
  for (const { local, exported } of statement.specifiers) {
    const file = statement.source ? target(module, statement.source) : module.file;
    module.exports.set(exported.name, { file, name: local.name, isLocal: !statement.source });
  }
  for (const name of addLocals(module, statement.declaration, statement)) {
    module.exports.set(name, { file: module.file, name, isLocal: true });
  }
}

/** `statement` is the declaration or the `export` around it, which its comment precedes. */
function addLocals({ locals }, declaration, statement) {
  if (!declaration) return [];
  const isVariable = declaration.type === "VariableDeclaration";
  const declared = isVariable ? declaration.declarations : [declaration];
  return declared.flatMap((node) => {
    const name = node.id?.name;
    if (name === undefined) return [];
    locals.set(name, [...(locals.get(name) ?? []), { node, statement }]);
    return [name];
  });
}

function target({ file }, { value }) {
  return value.startsWith(".") ? join(file, "..", value.replace(/\.[jt]s$/, ".d.ts")) : undefined;
}
