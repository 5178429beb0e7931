/** What `limpet --help` says: every command on one line of at most 80 columns, in the order in which one comes to need them. Pure. */

type Line = readonly [words: string, what: string];

/** By what a person has in mind; `limpet help COMMAND` has the rest. */
const GROUPS: Readonly<Record<string, readonly Line[]>> = {
  "Run and see": [
    ["run CMD…", "Run a program to its end, and exit with its code"],
    ["start CMD…", "Start a program, and print the id of its session"],
    ["ls", "List the sessions"],
    ["top", "Watch all sessions in a live table"],
    ["logs ID", "Print what a session has printed, as clean text"],
    ["screen ID", "Print what it shows on its screen, or follow it"],
    ["wait ID…", "Wait for an exit, a question, a pattern or silence"],
  ],
  "Take over": [
    ["attach ID", "Sit down at its terminal; Ctrl+] gets up again"],
    ["send ID TEXT", "Type text and keys"],
    ["hold ID", "Keep agents from typing; people still can"],
    ["release ID", "Let agents type again"],
    ["kill ID…", "End it and all that it started, and forget its output"],
  ],
  Record: [
    ["record ID -o FILE", "Record it to a file, until it ends"],
    ["replay FILE", "Play a recording, print it, or make a picture of it"],
    ["screenshot ID -o FILE", "Write a picture of its screen, PNG or SVG"],
  ],
  Serve: [
    ["mcp", "Serve the tools to an MCP client"],
    ["setup CLIENT", "The configuration that starts limpet in a client"],
    ["host status|stop", "The process that owns the sessions"],
    ["doctor", "Check whether limpet can work here"],
    ["demo", "A short tour that runs by itself"],
    ["completion SHELL", "A script that completes words in your shell"],
  ],
};

export function overview(): string {
  const width = Math.max(...Object.values(GROUPS).flatMap((lines) => lines.map(([words]) => words.length)));
  const groups = Object.entries(GROUPS).map(([title, lines]) =>
    [`${title}:`, ...lines.map(([words, what]) => `  ${words.padEnd(width)}  ${what}`)].join("\n"),
  );
  return [
    "Real terminals for AI agents, and for the person beside them.",
    "Usage: limpet COMMAND … (an ID is an id or a name)",
    ...groups,
    "limpet help COMMAND has flags and examples; limpet --version.",
  ].join("\n\n");
}
