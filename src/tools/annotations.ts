/** Hints of most tools, for clients that ask their user before some calls. */
import type { ToolAnnotations } from "./tool.ts";

type Hints = Omit<ToolAnnotations, "title">;

/** For tools that run or type what the model asks for. */
export const ACTS: Hints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** For tools that change nothing. */
export const READ_ONLY: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
