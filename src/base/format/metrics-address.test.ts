import { expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { parseMetricsAddress, requireMetricsAddress } from "./metrics-address.ts";

test.each([
  ["9464", "127.0.0.1", 9464],
  ["127.0.0.1:0", "127.0.0.1", 0],
  ["0.0.0.0:80", "0.0.0.0", 80],
  ["[::1]:9464", "::1", 9464],
])("%s is %s, port %i", (text, address, port) => {
  expect(parseMetricsAddress(text)).toEqual({ address, port });
});

test.each([
  "",
  "localhost:1",
  "1.2.3:4",
  "127.0.0.1",
  ":9464",
  "70000",
  "::1:9464",
  "[127.0.0.1]:1",
  "1.2.3.4:5:6",
  "9464 ",
])("%j is refused", (text) => expect(codeOfThrown(() => requireMetricsAddress(text))).toBe("BAD_OPTION"));
