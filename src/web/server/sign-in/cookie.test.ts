import { expect, test } from "vitest";
import { cookieIn, cookieRules, setCookie } from "./cookie.ts";

const http = cookieRules("limpet-abc.localhost:8080", "http");

test("the cookie is for this host and port only, and not for scripts or other sites", () => {
  expect(setCookie(http, "VALUE", 90_500)).toBe("limpet-8080=VALUE; Path=/; Max-Age=90; HttpOnly; SameSite=Strict");
});

test("with TLS it is bound to the host and to TLS", () => {
  const https = cookieRules("build.example", "https");

  expect(setCookie(https, "V", 1000)).toBe("__Host-limpet-443=V; Path=/; Max-Age=1; HttpOnly; SameSite=Strict; Secure");
});

test.each([
  ["limpet-8080=abc", "abc"],
  ["a=b; limpet-8080=abc; c", "abc"],
  ["limpet-8080=a=b", "a=b"],
  ["limpet-8081=abc", undefined],
  ["xlimpet-8080=abc", undefined],
  ["limpet-8080", undefined],
  ["limpet-8080=abc; limpet-8080=other", undefined],
  ["", undefined],
  [undefined, undefined],
])("in %j it is %j", (header, value) => expect(cookieIn(header, http)).toBe(value));
