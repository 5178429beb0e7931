import { expect, test } from "vitest";
import { describeFolder } from "./describe-session.ts";

test.each([
  ["/home/ann", "~"],
  ["/home/ann/api", "~/api"],
  ["/home/anna/api", "/home/anna/api"],
  ["/home/ann/work/customers/api", "…/customers/api"],
  ["/srv/very-long-name-of-a-folder", "very-long-name-of-a-folder"],
  ["/", "/"],
  ["", ""],
])("the folder %s is shown as %s", (path, shown) => {
  expect(describeFolder(path, { home: "/home/ann", maxWidth: 16 })).toBe(shown);
});
