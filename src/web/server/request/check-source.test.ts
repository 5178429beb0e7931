import { describe, expect, test } from "vitest";
import { loopbackNames, socketNames } from "../own-names.ts";
import { checkSource, type Source } from "./check-source.ts";

const own = loopbackNames("limpet-abc.localhost", 8080);

function source(given: Partial<Source>): Source {
  return {
    method: "GET",
    path: "/api/me",
    hosts: ["127.0.0.1:8080"],
    origins: [],
    sites: [],
    fetchMode: undefined,
    fetchDest: undefined,
    hasToken: false,
    isUpgrade: false,
    ...given,
  };
}

const from = (origin: string) => ({ origins: [origin] });

describe("the host", () => {
  test.each(["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "limpet-abc.localhost:8080", "LOCALHOST:8080"])(
    "%s is ours",
    (host) => expect(checkSource(source({ hosts: [host] }), own)).toBeUndefined(),
  );

  test.each([
    "evil.test",
    "evil.test:8080",
    "127.0.0.1",
    "127.0.0.1:80",
    "127.0.0.1:8081",
    "127.0.0.1:08080",
    "127.1:8080",
    "2130706433:8080",
    "0.0.0.0:8080",
    "[::]:8080",
    "[::ffff:127.0.0.1]:8080",
    "localhost.:8080",
    "localhost.evil.test:8080",
    "evil.test#127.0.0.1:8080",
    "me@127.0.0.1:8080",
    "127.0.0.1:8080, evil.test",
    " 127.0.0.1:8080",
    "other.localhost:8080",
    "",
  ])("%j is not ours", (host) => {
    expect(checkSource(source({ hosts: [host] }), own)).toMatchObject({ status: 403, code: "NOT_ALLOWED" });
  });

  test("none, or two of them, are refused", () => {
    expect(checkSource(source({ hosts: [] }), own)).toMatchObject({ status: 403 });
    expect(checkSource(source({ hosts: ["127.0.0.1:8080", "127.0.0.1:8080"] }), own)).toMatchObject({ status: 403 });
  });

  test("behind a socket file every port is ours, and no other name", () => {
    const behind = socketNames("limpet-abc.localhost", 8573);
    const hosts = (host: string) => checkSource(source({ hosts: [host] }), behind);

    expect(["localhost:1", "127.0.0.1:8573", "limpet-abc.localhost:65535"].map(hosts)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    for (const host of ["evil.test:8573", "localhost:", "localhost:x", "localhost:1:2", "localhost"])
      expect(hosts(host)).toMatchObject({ status: 403 });
  });
});

describe("the origin", () => {
  test("is that of the host of the same request", () => {
    const post = (given: Partial<Source>) => checkSource(source({ method: "POST", ...given }), own);

    expect(post(from("http://127.0.0.1:8080"))).toBeUndefined();
    expect(post({ hosts: ["localhost:8080"], ...from("http://localhost:8080") })).toBeUndefined();
    expect(post({ hosts: ["localhost:8080"], ...from("http://127.0.0.1:8080") })).toMatchObject({ status: 403 });
  });

  test.each([
    "null",
    "",
    "http://evil.test",
    "http://evil.test:8080",
    "https://127.0.0.1:8080",
    "http://127.0.0.1",
    "http://127.0.0.1:3000",
    "http://127.0.0.1:8080/",
    "http://127.0.0.1:8080.evil.test",
    "HTTP://127.0.0.1:8080",
  ])("%j is refused, with every method and with a token", (origin) => {
    for (const given of [{}, { method: "POST" }, { hasToken: true }, { isUpgrade: true }])
      expect(checkSource(source({ ...given, ...from(origin) }), own)).toMatchObject({ status: 403 });
  });

  test("two of them are refused", () => {
    const origins = ["http://127.0.0.1:8080", "http://evil.test"];

    expect(checkSource(source({ origins }), own)).toMatchObject({ status: 403 });
  });

  test("must be there for what changes something, unless there is a token", () => {
    expect(checkSource(source({ method: "POST" }), own)).toMatchObject({ status: 403 });
    expect(checkSource(source({ method: "DELETE" }), own)).toMatchObject({ status: 403 });
    expect(checkSource(source({ isUpgrade: true }), own)).toMatchObject({ status: 403 });
    expect(checkSource(source({ method: "POST", hasToken: true }), own)).toBeUndefined();
  });
});

describe("Sec-Fetch-Site", () => {
  test.each(["same-origin", "none"])("%s comes in", (site) => {
    expect(checkSource(source({ sites: [site] }), own)).toBeUndefined();
  });

  test.each(["cross-site", "same-site", "", "same-origin, cross-site"])("%j is refused", (site) => {
    expect(checkSource(source({ sites: [site] }), own)).toMatchObject({ status: 403 });
    expect(checkSource(source({ sites: ["same-origin", site] }), own)).toMatchObject({ status: 403 });
  });

  test("a click on a link reaches the page, and nothing else", () => {
    const click = { path: "/", sites: ["cross-site"], fetchMode: "navigate", fetchDest: "document" };

    expect(checkSource(source(click), own)).toBeUndefined();
    for (const given of [
      { path: "/api/me" },
      { method: "POST", ...from("http://127.0.0.1:8080") },
      { fetchDest: "iframe" },
      { fetchDest: "image" },
      { fetchMode: "no-cors" },
      { fetchMode: undefined },
      { isUpgrade: true, ...from("http://127.0.0.1:8080") },
    ])
      expect(checkSource(source({ ...click, ...given }), own)).toMatchObject({ status: 403 });
  });
});
