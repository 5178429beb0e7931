/** Starts a command with the tool of the profile "unified". */
import { expect } from "vitest";
import type { Toolbox } from "./tools.ts";

type Fields = Awaited<ReturnType<Toolbox["call"]>>["structured"];

export async function exec(tools: Toolbox, cmd: string, more: Readonly<Record<string, unknown>> = {}): Promise<Fields> {
  const { text, structured } = await tools.call("unified_exec", { cmd, shell: "/bin/bash", ...more });
  expect(JSON.parse(text)).toEqual(structured);
  return structured;
}
