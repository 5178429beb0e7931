/** Flags and environment variables to settings. A flag comes before its variable. */
import { ShellError } from "../base/errors.ts";
import { type ProfileName, profiles } from "../tools/profiles.ts";

export interface McpSettings {
  readonly profile: ProfileName;
}

interface McpFlags {
  readonly tools?: string | undefined;
}

export function mcpSettings({ tools }: McpFlags, env: NodeJS.ProcessEnv = process.env): McpSettings {
  const asked = tools ?? env["LIMPET_TOOLS"] ?? "all";
  if (isProfile(asked)) return { profile: asked };
  const known = Object.keys(profiles).join(", ");
  throw new ShellError("BAD_OPTION", `No tools ${JSON.stringify(asked)}. Give --tools one of: ${known}.`);
}

function isProfile(name: string): name is ProfileName {
  return Object.hasOwn(profiles, name);
}
