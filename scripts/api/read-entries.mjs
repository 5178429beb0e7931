/** Reads what the package exports: every entry of package.json, and the declaration behind each name. */
import { normalize } from "node:path/posix";
import { docOf, headerOf, readModule } from "./read-module.mjs";

/**
 * `[{ name, header, declarations, repeated }]`. A declaration belongs to the first entry that exports it; later entries
 * list its name in `repeated`. The last entry has no name and contains what the others use but do not export. The two
 * readers return the text of dist/x.d.ts and of src/x.ts, because the compiler drops the headers of some files.
 */
export function readEntries(manifest, { readDeclarations, readSource }) {
  const modules = new Map();
  const moduleOf = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(file, readDeclarations(file)));
    return modules.get(file);
  };
  const taken = new Map();
  const entries = Object.entries(manifest.exports).flatMap(([path, { types }]) => {
    if (types === undefined) return [];
    const { file, exports } = moduleOf(normalize(types));
    const header = headerOf(readSource(sourceOf(file)));
    const found = [...exports.keys()].map((name) => ({ ...resolveExport(moduleOf, file, name), title: name }));
    const declarations = found.filter(({ key }) => !taken.has(key)).map((each) => describe(moduleOf, each));
    const repeated = found.filter(({ key }) => taken.has(key)).map(({ key }) => key);
    for (const declaration of declarations) taken.set(declaration.key, declaration);
    return [{ name: `${manifest.name}${path.slice(1)}`, header, declarations, repeated }];
  });
  return [...entries, { name: "", header: "", declarations: usedBeside(moduleOf, taken), repeated: [] }];
}

/** The source of a declaration file. */
export function sourceOf(file) {
  return file.replace(/^dist\//, "src/").replace(/\.d\.ts$/, ".ts");
}

/** The declaration that `name` refers to inside `file`; undefined for names of the language and of other packages. */
function resolveLocal(moduleOf, file, name) {
  const { locals, imports } = moduleOf(file);
  if (locals.has(name)) return { key: `${file}#${name}`, file, name };
  const imported = imports.get(name);
  return imported?.file && resolveExport(moduleOf, imported.file, imported.name);
}

function resolveExport(moduleOf, file, name) {
  const found = moduleOf(file).exports.get(name);
  if (found === undefined) throw new Error(`${file} does not export ${name}.`);
  return found.isLocal ? resolveLocal(moduleOf, file, found.name) : resolveExport(moduleOf, found.file, found.name);
}

function describe(moduleOf, { key, file, name, title = name }) {
  const module = moduleOf(file);
  const statements = module.locals.get(name);
  const doc = statements.map(({ statement }) => docOf(module, statement)).find((text) => text !== "") ?? "";
  const resolve = (local) => {
    const found = resolveLocal(moduleOf, file, local);
    return found && { ...found, lookUp: () => describe(moduleOf, found) };
  };
  return { key, file, title, module, doc, resolve, nodes: statements.map(({ node }) => node) };
}

/** Types that exported ones mention but that cannot be imported, in the order of their first mention. */
function usedBeside(moduleOf, taken) {
  const found = new Map();
  const queue = [...taken.values()];
  for (const declaration of queue) {
    for (const name of typeNames(declaration)) {
      const used = declaration.resolve(name);
      if (used === undefined || taken.has(used.key) || found.has(used.key)) continue;
      const beside = describe(moduleOf, used);
      if (beside.nodes[0].type === "VariableDeclarator") continue;
      found.set(used.key, beside);
      queue.push(beside);
    }
  }
  return [...found.values()];
}

function typeNames({ nodes }) {
  const names = new Set();
  for (const node of nodes) {
    visit(node, (each) => {
      if (each.type === "TSTypeReference" && each.typeName.type === "Identifier") names.add(each.typeName.name);
    });
  }
  return names;
}

/** Calls `onNode` with `node` and every visible node below it. If it returns false, skips those below. */
export function visit(node, onNode) {
  if (isHidden(node) || onNode(node) === false) return;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === "string" && typeof child.start === "number") visit(child, onNode);
    }
  }
}

/** Members that a user of a class cannot access. */
export function isHidden({ key, accessibility }) {
  return key?.type === "PrivateIdentifier" || accessibility === "private" || accessibility === "protected";
}
