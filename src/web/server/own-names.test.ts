import { expect, test } from "vitest";
import { loopbackNames, publicNames, socketNames } from "./own-names.ts";

test("a server of this machine has its own name first", () => {
  const { base, hosts } = loopbackNames("limpet-abc.localhost", 8080);

  expect(base).toBe("http://limpet-abc.localhost:8080");
  expect([...hosts]).toEqual(["limpet-abc.localhost:8080", "127.0.0.1:8080", "localhost:8080", "[::1]:8080"]);
});

test("the port that belongs to the scheme may be left out", () => {
  const { base, hosts } = publicNames(["Build.Example"], 443);

  expect(base).toBe("https://build.example");
  expect([...hosts]).toEqual(["build.example:443", "build.example"]);
});

test("the links of a socket file have the port that is forwarded", () => {
  expect(socketNames("limpet-abc.localhost", 8573).base).toBe("http://limpet-abc.localhost:8573");
});
