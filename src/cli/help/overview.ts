/** What `limpet --help` prints: every command on one line of at most 80 columns. Pure. */

type Line = readonly [words: string, what: string];

/** By purpose; `limpet help COMMAND` has the details. */
const GROUPS: Readonly<Record<string, readonly Line[]>> = {
  "Run and watch": [
    ["run CMD…", "Run a program and exit with its exit code"],
    ["start CMD…", "Start a program and print its session id"],
    ["ls", "List the sessions"],
    ["top", "Watch all sessions in a live table"],
    ["brief", "Print all sessions, last results and questions briefly"],
    ["watch", "Print a line for each event of a session"],
    ["audit", "Show who did what, or check that nobody changed it"],
    ["places", "Show other machines and what runs there"],
    ["put FILE PLACE:PATH", "Copy a file to another machine"],
    ["get PLACE:PATH [FILE]", "Copy a file from another machine"],
    ["history [ID]", "List the commands that agents ran in shells"],
    ["logs ID", "Print its output as clean text"],
    ["screen ID", "Print its screen, wait for a text on it, or follow it"],
    ["port [PORT]", "Show which session listens on a port"],
    ["wait ID…", "Wait for exit, input, a pattern or silence"],
  ],
  "Take over": [
    ["attach ID", "Attach to its terminal; press Ctrl+] d to detach"],
    ["send ID TEXT", "Type text and keys"],
    ["answer ID", "Answer its password prompt, unseen by agents"],
    ["hold ID", "Keep agents from typing"],
    ["release ID", "Let agents type again"],
    ["approvals", "List the requests that need your approval"],
    ["approve N", "Allow it, once or for longer"],
    ["deny N", "Refuse it"],
    ["freeze ID", "Pause everything in it until you thaw it"],
    ["thaw ID", "Resume it"],
    ["signal ID SIGNAL", "Send a signal to its program"],
    ["restart ID", "End it and start its program again"],
    ["rename ID NAME", "Give it another name"],
    ["resize ID COLSxROWS", "Change the size of its terminal"],
    ["kill ID…", "End it and everything it started"],
  ],
  Record: [
    ["record ID -o FILE", "Record it to a file"],
    ["rec CMD…", "Run a program here and record it"],
    ["replay FILE", "Play a recording, print it, or make an animated SVG"],
    ["screenshot ID -o FILE", "Save its screen as PNG or SVG"],
  ],
  Serve: [
    ["web", "Watch and control all sessions in a browser"],
    ["mcp", "Serve the tools to an MCP client"],
    ["token create|revoke", "Let agents use MCP over HTTP"],
    ["setup CLIENT", "Configure an agent client to use limpet"],
    ["secret set|ls|rm NAME", "Store secrets that agents use by name"],
    ["host status|stop", "Inspect or stop the process that owns the sessions"],
    ["fleet status|drain|…", "Show the hosts of a fleet, or write its credentials"],
    ["policy check CMD", "Show what the rules say about an agent's command"],
    ["prune", "Delete the output of sessions that have ended"],
    ["doctor", "Check whether limpet works on this machine"],
    ["demo", "Show what limpet does, in half a minute"],
    ["completion SHELL", "Print a completion script for bash, zsh or fish"],
  ],
};

export function overview(): string {
  const width = Math.max(...Object.values(GROUPS).flatMap((lines) => lines.map(([words]) => words.length)));
  const groups = Object.entries(GROUPS).map(([title, lines]) =>
    [`${title}:`, ...lines.map(([words, what]) => `  ${words.padEnd(width)}  ${what}`)].join("\n"),
  );
  return [
    "Real terminals for AI agents, and for the people who work with them.",
    "Usage: limpet COMMAND … (ID is a session's id or name, or PLACE/ID)",
    ...groups,
    "See limpet help COMMAND for flags and examples, and limpet --version.",
  ].join("\n\n");
}
