import { expect, test } from "vitest";
import { readMarkedProcess } from "../../linux/processes/processes.ts";
import { isInside } from "./require-person.ts";

const own = readMarkedProcess(process.pid);

test("a process is inside if it or an ancestor carries a mark or belongs to a session", () => {
  const line = own ? [own] : [];

  expect(line).toHaveLength(1);
  expect(isInside(line, new Set())).toBe(false);
  expect(isInside(line, new Set([process.pid]))).toBe(true);
  expect(isInside([...line, ...line.map((each) => ({ ...each, mark: "7" }))], new Set())).toBe(true);
});
