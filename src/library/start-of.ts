/** Checks how a program is to be started: callers without a compiler may pass any type. */
import { typeName, wrongType } from "../base/require-env.ts";
import { requireSandbox } from "../safety/sandbox/read-sandbox.ts";
import type { StartRequest } from "../service/turn/start-request.ts";
import { requireText } from "./require-options.ts";
import type { OpenOptions } from "./terminals.ts";

const FLAGS = ["tty", "login", "endsWhenLeft", "copy", "answerQueries"] as const;
const TEXTS = ["shell", "cwd", "name"] as const;
const OBJECTS = { size: "an object such as { cols: 80, rows: 24 }", limits: 'an object such as { memory: "2G" }' };

/** Rejects a wrong type, before anything is started. What is in it is checked by whoever starts the program. */
export function startOf(options: OpenOptions): StartRequest {
  for (const name of FLAGS) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== "boolean") throw wrongType(name, value, "true or false");
  }
  for (const name of TEXTS) if (options[name] !== undefined) requireText(name, options[name]);
  for (const [name, wanted] of Object.entries(OBJECTS)) {
    const value = options[name as keyof typeof OBJECTS];
    if (value !== undefined && typeName(value) !== "object") throw wrongType(name, value, wanted);
  }
  const { sandbox, ...start } = options;
  return sandbox === undefined ? start : { ...start, sandbox: requireSandbox(sandbox) };
}
