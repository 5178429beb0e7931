import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { issueAuthority, issueServer } from "../security/certificate/issue-certificate.ts";
import { checkServer } from "./check-server.ts";

const authority = issueAuthority("Test fleet");
const certificateFor = (...names: string[]) =>
  new X509Certificate(issueServer(authority, names).certificate).toLegacyObject();

test("a server that is given by its name must have a certificate for it", () => {
  const check = checkServer("tls://nats.example.org:4222");

  expect(check("nats.example.org", certificateFor("nats.example.org"))).toBeUndefined();
  expect(check("nats.example.org", certificateFor("other.example.org"))).toBeInstanceOf(Error);
});

test("a server that is given by its address must have a certificate for it, not for localhost", () => {
  const check = checkServer("tls://127.0.0.1:4222,tls://[::1]:4222");

  expect(check("localhost", certificateFor("127.0.0.1"))).toBeUndefined();
  expect(check("localhost", certificateFor("::1"))).toBeUndefined();
  expect(check("localhost", certificateFor("localhost"))).toBeInstanceOf(Error);
  expect(check("localhost", certificateFor("10.0.0.9"))).toBeInstanceOf(Error);
});
