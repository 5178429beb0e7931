import { expect, test } from "vitest";
import { terminalNumber, terminalPath } from "./open-file.ts";

test.each([
  ["/dev/pts/0", 34_816],
  ["/dev/pts/2", 34_818],
  ["/dev/pts/255", 35_071],
  ["/dev/pts/256", 34_816 + 2 ** 20],
  ["/dev/pts/4095", 35_071 + 15 * 2 ** 20],
])("%s is the device %i, and back", (path, number) => {
  expect(terminalNumber(path)).toBe(number);
  expect(terminalPath(number)).toBe(path);
});

test("other devices are not such terminals", () => {
  expect(terminalNumber("/dev/tty1")).toBeUndefined();
  expect(terminalNumber("/tmp/dev/pts/1")).toBeUndefined();
  expect(terminalPath(0)).toBeUndefined();
  expect(terminalPath(1025)).toBeUndefined();
});
