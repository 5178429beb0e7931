import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type TLSSocket } from "node:tls";
import { expect, test } from "vitest";
import { issueAuthority, issueServer } from "./issue-certificate.ts";

test("a server's certificate is signed by its authority and valid for its names only", () => {
  const authority = issueAuthority("Test fleet");
  const server = issueServer(authority, ["nats.example.org", "10.0.0.5", "::1", "2001:db8::ff00:42:8329"]);

  const [ca, own] = [new X509Certificate(authority.certificate), new X509Certificate(server.certificate)];
  expect(ca.ca).toBe(true);
  expect(own.ca).toBe(false);
  expect(ca.verify(ca.publicKey)).toBe(true);
  expect(own.verify(ca.publicKey)).toBe(true);
  expect(own.checkIssued(ca)).toBe(true);
  expect(own.checkPrivateKey(server.key)).toBe(true);
  expect(own.checkHost("nats.example.org")).toBe("nats.example.org");
  expect(own.checkHost("other.example.org")).toBeUndefined();
  expect(own.checkIP("10.0.0.5")).toBe("10.0.0.5");
  expect(own.checkIP("10.0.0.6")).toBeUndefined();
  expect(own.checkIP("::1")).toBe("::1");
  expect(own.checkIP("2001:db8::ff00:42:8329")).toBe("2001:db8::ff00:42:8329");
  expect(new Date(own.validTo).getTime() - Date.now()).toBeGreaterThan(3_649 * 24 * 60 * 60 * 1000);
});

test("a client that trusts the authority reaches the server, and one that trusts another does not", async () => {
  const authority = issueAuthority("Test fleet");
  const { certificate, key } = issueServer(authority, ["localhost", "127.0.0.1"]);
  const server = createServer(
    { cert: certificate, key: key.export({ type: "pkcs8", format: "pem" }) },
    (socket) => void socket.end("hello"),
  );
  server.on("tlsClientError", () => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const reach = (ca: string): TLSSocket => connect({ host: "127.0.0.1", port, ca });

  const trusting = reach(authority.certificate);
  const [data] = await once(trusting, "data");
  const [refusal] = await once(reach(issueAuthority("Test fleet").certificate), "error");

  expect(String(data)).toBe("hello");
  expect(refusal).toMatchObject({ code: expect.stringMatching(/CERT|SIGNATURE|ISSUER/) });
  trusting.destroy();
  server.close();
});

test("a hundred certificates are read back: lengths and numbers of every size are written as they should be", () => {
  const authority = issueAuthority("Test fleet");
  const names = Array.from({ length: 100 }, (_, index) => `${"n".repeat(1 + (index % 60))}-${index}.example.org`);

  for (let count = 1; count <= names.length; count += 9) {
    const own = new X509Certificate(issueServer(authority, names.slice(0, count)).certificate);

    expect(own.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    expect(own.subjectAltName?.split(", ")).toEqual(names.slice(0, count).map((name) => `DNS:${name}`));
  }
});
