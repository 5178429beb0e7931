/**
 * Loaded into a `limpet mcp` that a client has started: writes the client's messages to the file MESSAGES beside this
 * one. Inside the process, so that the server's parent is still the client.
 */
import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("messages.jsonl", import.meta.url));
const { emit } = process.stdin;
let rest = "";

process.stdin.emit = function emitAndNote(name, ...args) {
  if (name === "data") note(args[0]);
  return emit.call(this, name, ...args);
};

function note(chunk) {
  const lines = `${rest}${chunk}`.split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) appendFileSync(file, `${line}\n`);
}
