/** Wraps Markdown at 120 characters. */

const WIDTH = 120;

/** `text` with its paragraphs and list items wrapped and its code unchanged; `indent` precedes every line. */
export function wrapProse(text, indent = "") {
  const lines = [];
  let paragraph = [];
  let isCode = false;
  const flush = () => {
    if (paragraph.length > 0) lines.push(...fill(paragraph.join(" "), indent));
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    const isFence = /^\s*```/.test(line);
    if (isFence || isCode || line.trim() === "" || /^\s*([-*]|\d+\.) /.test(line)) flush();
    if (isFence || isCode) lines.push(indent + line);
    else if (line.trim() === "") lines.push("");
    else paragraph.push(line.trim());
    if (isFence) isCode = !isCode;
  }
  flush();
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** Wraps the words of a paragraph or list item. No line starts like a list, a quote or a heading. */
export function fill(text, indent = "") {
  const lines = [];
  const hanging = /^[-*] /.test(text) ? `${indent}  ` : indent;
  let line = "";
  for (const word of text.split(" ")) {
    const mustStay = line === "" || /^([-+*>#=]|\d+[.)]$)/.test(word);
    const start = lines.length === 0 ? indent : hanging;
    if (!mustStay && start.length + line.length + 1 + word.length > WIDTH) {
      lines.push(start + line);
      line = word;
    } else {
      line += line === "" ? word : ` ${word}`;
    }
  }
  return [...lines, (lines.length === 0 ? indent : hanging) + line];
}
