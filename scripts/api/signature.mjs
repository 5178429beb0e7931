/**
 * Renders signatures as Markdown: `<code>` with a reference link around each type that has a section. `linkTo(key)`
 * returns the label of that section, or undefined.
 */
import { visit } from "./read-entries.mjs";

/** A union with more characters than this is shown as a list. */
const LONG = 100;

/** One or several signatures of a function, the type of a value, the head of a class or the right side of an alias. */
export function signatures(declaration, linkTo) {
  const text = (from, to, node) => codeOf(declaration, { from, to, node, linkTo });
  return declaration.nodes.flatMap((node) => {
    if (node.type === "TSDeclareFunction") return [text(node.id.start, node.end, node)];
    if (node.type === "VariableDeclarator") return [text(node.id.start, node.end, node)];
    if (node.type === "TSTypeAliasDeclaration") return aliasSignatures(declaration, node, text);
    if (node.type !== "ClassDeclaration")
      return node.typeParameters ? [text(node.id.start, node.body.start, node)] : [];
    // What a class implements is for its author; what it extends is for its user.
    const end = (node.superTypeArguments ?? node.superClass ?? node.typeParameters ?? node.id).end;
    return [`<code>class ${text(node.id.start, end, node).slice("<code>".length)}`];
  });
}

/** A long union of objects is shown as a list; a union of strings stays on one line. */
function aliasSignatures(declaration, { typeAnnotation: type }, text) {
  if (type.type === "TSTypeLiteral") return [];
  const values = type.type === "TSIndexedAccessType" ? valuesOf(declaration, type) : undefined;
  if (values !== undefined) return [`<code>${values.join(" | ")}</code>`];
  return alternativesOf(declaration).map((each) => text(each.start, each.end, each));
}

/** The parts of a union if it is shown as a list; otherwise the whole type. */
export function alternativesOf({ nodes: [{ typeAnnotation: type }] }) {
  const isList = type?.type === "TSUnionType" && type.types.some(hasObject) && type.end - type.start > LONG;
  return isList ? type.types.map(withoutParentheses) : [type];
}

function hasObject(type) {
  const inner = withoutParentheses(type);
  return inner.type === "TSTypeLiteral" || (inner.type === "TSIntersectionType" && inner.types.some(hasObject));
}

function withoutParentheses(type) {
  return type.type === "TSParenthesizedType" ? type.typeAnnotation : type;
}

/** The values of `(typeof LIST)[number]`, because the list itself is not shown. */
function valuesOf({ resolve }, { objectType, indexType }) {
  const query = withoutParentheses(objectType);
  if (query.type !== "TSTypeQuery" || indexType.type !== "TSNumberKeyword") return undefined;
  const list = resolve(query.exprName.name)?.lookUp();
  const tuple = list?.nodes[0].id.typeAnnotation?.typeAnnotation.typeAnnotation;
  return tuple?.elementTypes?.map(({ start, end }) => list.module.code.slice(start, end));
}

/** A member of a class or an interface. Getters are shown as properties. */
export function memberSignature(declaration, node, linkTo) {
  const method = node.value ?? node;
  const code = (from, to, inner = node) => codeOf(declaration, { from, to, node: inner, linkTo });
  if (node.kind === "constructor")
    return code(method.start, node.end).replace("<code>", `<code>new ${declaration.title}`);
  if (node.key === undefined) return code(node.start, node.end);
  const from = node.computed ? node.key.start - 1 : node.key.start;
  if (node.kind === "get") {
    const key = code(from, node.computed ? node.key.end + 1 : node.key.end).slice(0, -"</code>".length);
    return key + code(method.returnType.start, method.returnType.end, method.returnType).slice("<code>".length);
  }
  const whole = node.optional ? withoutUndefined(code(from, node.end)) : code(from, node.end);
  return node.static ? whole.replace("<code>", `<code>${declaration.title}.`) : whole;
}

/** Omits `| undefined`, which the `?` already says. */
function withoutUndefined(code) {
  return code.replace(" | undefined</code>", "</code>");
}

/** The source from `from` to `to`, on one line, without comments, with links. */
export function codeOf({ module, resolve }, { from, to, node, linkTo }) {
  const edits = module.comments.map(({ start, end }) => ({ start, end, text: "" }));
  visit(node, (each) => {
    edits.push(...editsOf(module.code, each, (name) => linkTo(resolve(name)?.key)));
  });
  const inside = edits.filter(({ start, end }) => start >= from && end <= to).sort((a, b) => a.start - b.start);
  let markdown = "";
  let at = from;
  for (const { start, end, text } of inside) {
    if (start < at) continue;
    markdown += plain(module.code.slice(at, start), markdown) + text;
    at = end;
  }
  markdown += plain(module.code.slice(at, to), markdown);
  return `<code>${tidy(markdown)}</code>`;
}

function editsOf(code, node, labelOf) {
  const { type, start } = node;
  if (type === "TSTypeReference" || type === "TSInterfaceHeritage") {
    const { name, start: nameStart, end } = node.typeName ?? node.expression;
    const label = name && labelOf(name);
    return label ? [{ start: nameStart, end, text: label === name ? `[${name}]` : `[${name}][${label}]` }] : [];
  }
  // Every property is readonly; the page says so once.
  if (type === "TSPropertySignature" && node.readonly) return [{ start, end: node.key.start, text: "" }];
  // How a function destructures its argument is an implementation detail.
  if (type === "ObjectPattern") {
    const end = code.lastIndexOf("}", node.typeAnnotation?.start ?? node.end) + 1;
    return [{ start, end, text: parameterName(node.typeAnnotation?.typeAnnotation) }];
  }
  return [];
}

/** The last word of the type's name: `options` for `OpenOptions`. */
function parameterName(type) {
  return /[A-Z][a-z]+$/.exec(type?.typeName?.name ?? "")?.[0].toLowerCase() ?? "options";
}

/** Code as Markdown shows it literally. */
function plain(code, before) {
  const escaped = code.replace(/[\\*`<]|(?<=\])\(/g, "\\$&");
  // `[Type][]` would be a link without its brackets.
  return before.endsWith("]") ? escaped.replace(/^[[(]/, "\\$&") : escaped;
}

function tidy(text) {
  return text.replace(/\s+/g, " ").replace(/;? \}/g, " }").replace(/;$/, "").trim();
}
