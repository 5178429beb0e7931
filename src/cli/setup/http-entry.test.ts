import { expect, test } from "vitest";
import { requireServerUrl } from "./http-entry.ts";

test.each([
  ["http://127.0.0.1:8717", "http://127.0.0.1:8717/mcp"],
  ["http://127.0.0.1:8717/mcp", "http://127.0.0.1:8717/mcp"],
  ["http://limpet-k3v9x2ab.localhost:1/", "http://limpet-k3v9x2ab.localhost:1/mcp"],
  ["http://[::1]:9/mcp", "http://[::1]:9/mcp"],
  ["https://build.example.org/mcp", "https://build.example.org/mcp"],
])("%s is the address %s", (given, url) => {
  expect(requireServerUrl(given)).toBe(url);
});

test.each([
  ["8717", "Give the address"],
  ["ftp://127.0.0.1/", "Give the address"],
  ["http://build.example.org/mcp", "unencrypted"],
  ["http://127.0.0.1.example.org/mcp", "unencrypted"],
  ["https://me:secret@build/mcp", "more than an address"],
  ["https://build/mcp?token=x", "more than an address"],
])("%s is refused", (given, why) => {
  expect(() => requireServerUrl(given)).toThrow(why);
});
