/** The schema of the limits of a session, in requests and in records. */
import { z } from "zod";
import type { SessionLimits } from "../base/session-limits.ts";

const amount = z.int().min(1).optional();

export const limits: z.ZodType<SessionLimits> = z.strictObject({
  memory: amount,
  processes: amount,
  openFiles: amount,
  cpuTime: amount,
  wallTime: amount,
  fileSize: amount,
}) as z.ZodType<SessionLimits>;
