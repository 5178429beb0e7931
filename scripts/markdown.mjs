/** Pure: the parts of a Markdown page that can be checked: fenced code blocks, links, anchors. */

const fence = /^(?<indent> *)(?<marks>`{3,}|~{3,})(?<info>[^`]*)$/;

/** `{ line, language, flags, code }` of each fenced block; `line` is the number of its first line of code, from 1. */
export function codeBlocks(text) {
  return splitFences(text).blocks;
}

/** `{ line, target }` of each link and image outside code. */
export function links(text) {
  const inline = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
  const reference = /^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/g;
  return splitFences(text).prose.flatMap((line, index) => {
    const plain = line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, "");
    const found = [...plain.matchAll(inline), ...plain.matchAll(reference)];
    return found.map((match) => ({ line: index + 1, target: match[1] }));
  });
}

/** The anchors of the page's headings, by GitHub's rules. */
export function anchors(text) {
  const seen = new Map();
  return splitFences(text).prose.flatMap((line) => {
    const title = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (title === undefined) return [];
    const visible = title.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = visible.replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, "").replaceAll(" ", "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return [count === 0 ? slug : `${slug}-${count}`];
  });
}

/** The blocks, and the lines outside of them. Lines inside are replaced by empty ones to preserve line numbers. */
function splitFences(text) {
  const prose = [];
  const blocks = [];
  let open;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const match = fence.exec(line)?.groups;
    if (open === undefined && match === undefined) {
      prose.push(line);
      continue;
    }
    prose.push("");
    if (open === undefined) {
      const [language = "", ...flags] = match.info.trim().split(/\s+/);
      open = { line: index + 2, language, flags, lines: [], indent: match.indent.length, marks: match.marks };
    } else if (match?.marks.startsWith(open.marks) && match.info.trim() === "") {
      blocks.push(asBlock(open));
      open = undefined;
    } else {
      open.lines.push(line);
    }
  }
  // A fence that is not closed extends to the end of the page.
  if (open !== undefined) blocks.push(asBlock(open));
  return { prose, blocks };
}

function asBlock({ line, language, flags, lines, indent }) {
  const margin = new RegExp(`^ {0,${indent}}`);
  return { line, language, flags, code: lines.map((each) => each.replace(margin, "")).join("\n") };
}
