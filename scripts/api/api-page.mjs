/** Pure: renders the entries of the package as one Markdown page: contents, then a section per name. */
import { anchors } from "../markdown.mjs";
import { isHidden, sourceOf } from "./read-entries.mjs";
import { docOf } from "./read-module.mjs";
import { alternativesOf, codeOf, memberSignature, signatures } from "./signature.mjs";
import { fill, wrapProse } from "./wrap.mjs";

const INTRO = `# API

<!-- Written by \`npm run api\` from the doc comments in src/. Do not edit. -->

Every name that can be imported, by entry point. All properties are read-only; \`?\` marks what can be left out.`;

const BESIDE = `## Other types

Types that the signatures above mention. They cannot be imported by name.`;

const GROUPS = [
  { title: "Functions", types: ["TSDeclareFunction", "VariableDeclarator"] },
  { title: "Classes and interfaces", types: ["ClassDeclaration", "TSInterfaceDeclaration"] },
  { title: "Types", types: ["TSTypeAliasDeclaration"] },
];

export function apiPage(entries) {
  const sorted = entries
    .map((entry) => ({ ...entry, groups: groupsOf(entry.declarations) }))
    .filter(({ declarations, repeated }) => declarations.length + repeated.length > 0);
  const labels = labelsOf(sorted);
  const parts = [INTRO, contents(sorted, labels), ...sorted.map((entry) => entrySection(entry, labels))];
  return `${parts.join("\n\n")}\n\n${definitions(sorted, labels)}\n`;
}

/** The source file and name of each export without a doc comment. */
export function undocumented(entries) {
  const exported = entries.filter(({ name }) => name !== "").flatMap(({ declarations }) => declarations);
  return exported.filter(({ doc }) => doc === "").map(({ file, title: name }) => `${sourceOf(file)}: ${name}`);
}

function groupsOf(declarations) {
  const byName = (one, other) => one.title.localeCompare(other.title, "en");
  return GROUPS.map(({ title, types }) => ({
    title,
    declarations: declarations.filter(({ nodes }) => types.includes(nodes[0].type)).sort(byName),
  })).filter((group) => group.declarations.length > 0);
}

/** The label of each declaration's reference link. Labels ignore case, names do not. */
function labelsOf(entries) {
  const used = new Set();
  const labels = new Map();
  for (const { key, title } of entries.flatMap(inOrder)) {
    let label = title;
    while (used.has(label.toLowerCase())) label += "'";
    used.add(label.toLowerCase());
    labels.set(key, label);
  }
  return labels;
}

function inOrder({ groups }) {
  return groups.flatMap(({ declarations }) => declarations);
}

function contents(entries, labels) {
  const lines = entries.flatMap(({ name, groups }) => [
    `- ${name === "" ? "[Other types](#other-types)" : `[\`${name}\`](#${anchors(heading(name))[0]})`}`,
    ...groups.flatMap(({ title, declarations }) => {
      const links = declarations.map((each) => bareLink(each.title, labels.get(each.key))).join(", ");
      return fill(name === "" ? `- ${links}` : `- ${title}: ${links}`, "  ");
    }),
  ]);
  return lines.join("\n");
}

function bareLink(name, label) {
  return name === label ? `[${name}]` : `[${name}][${label}]`;
}

function linkOf(name, label) {
  return `[\`${name}\`][${label}]`;
}

function heading(name) {
  return `## \`${name}\``;
}

function entrySection({ name, header, groups, repeated }, labels) {
  const parts = name === "" ? [BESIDE] : [heading(name)];
  if (header !== "") parts.push(prose(header, { labels }));
  if (repeated.length > 0) {
    const names = repeated.map((key) => bareLink(key.split("#")[1], labels.get(key))).join(", ");
    parts.push(fill(`Also exported here: ${names}.`).join("\n"));
  }
  return [...parts, ...inOrder({ groups }).map((each) => section(each, labels))].join("\n\n");
}

function title({ title: name, nodes }) {
  return nodes[0].type === "TSDeclareFunction" ? `### ${name}()` : `### ${name}`;
}

function section(declaration, labels) {
  const links = { labels, own: declaration.key, resolve: declaration.resolve };
  const lines = signatures(declaration, (key) => (key === declaration.key ? undefined : labels.get(key)));
  const parts = [title(declaration)];
  const isList = lines.length > 1 && declaration.nodes.length === 1;
  if (!isList) parts.push(...lines.map((line) => fill(line).join("\n")));
  if (declaration.doc !== "") parts.push(prose(declaration.doc, links));
  if (isList) parts.push("One of:", alternatives(declaration, lines, links));
  const { members, bases } = membersOf(declaration, labels);
  if (bases.length > 0) parts.push(fill(`Also has the members of ${bases.join(" and ")}.`).join("\n"));
  if (members.length > 0) parts.push(members.map((each) => memberItem(each, links, "")).join("\n"));
  return parts.join("\n\n");
}

function alternatives(declaration, lines, links) {
  const docs = alternativesOf(declaration).map((node) => docOf(declaration.module, node));
  return lines.map((line, index) => item(line, docs[index], links, "")).join("\n");
}

/** The members, including those of bases without a section, and the names of the other bases. */
function membersOf(declaration, labels) {
  const [node] = declaration.nodes;
  const body = node.body?.body ?? (node.typeAnnotation?.type === "TSTypeLiteral" ? node.typeAnnotation.members : []);
  const members = body.filter(isShown).map((each) => ({ declaration, node: each }));
  const bases = [];
  for (const base of node.type === "TSInterfaceDeclaration" ? node.extends : []) {
    const found = declaration.resolve(base.expression.name);
    if (found === undefined || labels.has(found.key)) bases.push(baseName(declaration, base, labels));
    else {
      const inner = membersOf(found.lookUp(), labels);
      members.unshift(...inner.members);
      bases.push(...inner.bases);
    }
  }
  return { members, bases };
}

function baseName(declaration, node, labels) {
  return codeOf(declaration, { from: node.start, to: node.end, node, linkTo: (key) => labels.get(key) });
}

function isShown(node) {
  return !isHidden(node) && node.kind !== "set";
}

function memberItem({ declaration, node }, links, indent) {
  const linkTo = (key) => (key === links.own ? undefined : links.labels.get(key));
  const text = item(memberSignature(declaration, node, linkTo), docOf(declaration.module, node), links, indent);
  const inner = node.typeAnnotation?.typeAnnotation;
  const documented = inner?.type === "TSTypeLiteral" ? inner.members : [];
  const nested = documented
    .filter((each) => docOf(declaration.module, each) !== "")
    .map((each) => memberItem({ declaration, node: each }, links, `${indent}  `));
  return [text, ...nested].join("\n");
}

function item(signature, doc, links, indent) {
  const line = fill(`- ${signature}`, indent).join("\n");
  return doc === "" ? line : `${line}\\\n${prose(doc, links, `${indent}  `)}`;
}

/** A doc comment as prose: names that have a section become links, the first time. */
function prose(doc, { labels, own, resolve }, indent = "") {
  const linked = new Set([own]);
  const byName = new Map([...labels.keys()].reverse().map((key) => [key.split("#")[1], key]));
  const link = (whole, name) => {
    const key = resolve?.(name)?.key ?? byName.get(name);
    if (!labels.has(key) || linked.has(key)) return whole;
    linked.add(key);
    return linkOf(name, labels.get(key));
  };
  const text = doc
    .replace(/\{@link (\w+)\}/g, "`$1`")
    .replace(/`docs\/([\w-]+\.md)`/g, "[docs/$1]($1)")
    .replace(/`(\w+)`/g, link);
  return wrapProse(text, indent);
}

/** The targets of the reference links. Anchors are those of the headings, in their order. */
function definitions(entries, labels) {
  const headings = entries.flatMap((entry) => [
    { line: entry.name === "" ? "## Other types" : heading(entry.name) },
    ...inOrder(entry).map((each) => ({ line: title(each), label: labels.get(each.key) })),
  ]);
  const slugs = anchors(headings.map(({ line }) => line).join("\n"));
  const lines = headings.map(({ label }, index) => (label === undefined ? [] : `[${label}]: #${slugs[index]}`));
  return lines.flat().join("\n");
}
