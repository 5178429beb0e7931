/** The schema of a sandbox, in requests and in records. */
import { z } from "zod";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import { isSandboxRequest } from "../safety/sandbox/read-sandbox.ts";

export const sandbox: z.ZodType<SandboxRequest> = z.custom<SandboxRequest>(isSandboxRequest);
