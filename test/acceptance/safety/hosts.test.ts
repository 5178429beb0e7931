/** A sandbox that may connect to some hosts only, against servers on the loopback address. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openSession } from "../../../src/entries/session.ts";
import { sandboxTransport } from "../../../src/entries/transport.ts";
import { needs, skipWithout } from "../../support/needs.ts";
import { suiteSandbox } from "../../support/suite-sandbox.ts";

const { setUp, tearDown } = skipWithout(
  "landlock",
  ...(suiteSandbox() === "bwrap" ? (["bwrap"] as const) : []),
  "curl",
);

const project = mkdtempSync(join(tmpdir(), "limpet-test-"));
afterAll(() => rmSync(project, { recursive: true }));
let web: Server;
let echo: TcpServer;
let [webPort, echoPort] = [0, 0];

setUp(async () => {
  web = createServer((asked, answer) => {
    let body = "";
    asked.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    asked.on("end", () => answer.end(`${asked.method} ${asked.url} ${asked.headers.host} ${body}`));
  });
  echo = createTcpServer((socket) => socket.pipe(socket));
  await Promise.all([web, echo].map((each) => new Promise<void>((done) => each.listen(0, "127.0.0.1", done))));
  [webPort, echoPort] = [web, echo].map((each) => (each.address() as AddressInfo).port) as [number, number];
});

tearDown(() => {
  web.close();
  echo.close();
});

/** What names resolve to. */
const NAMES: Readonly<Record<string, readonly string[]>> = { "web.test": ["127.0.0.1"], "inner.test": ["127.0.0.1"] };

async function runIn(hosts: readonly string[], command: string) {
  const refused: string[] = [];
  const transport = sandboxTransport(
    { files: "workspace", network: hosts, project, with: suiteSandbox() },
    { resolve: async (name) => NAMES[name] ?? [], onRefused: (host) => void refused.push(host) },
  );
  const session = await openSession({ command, shell: "/bin/bash", cwd: project, transport });
  const exit = await session.exited;
  const { text } = await session.text();
  await session.close({ force: true });
  return { code: exit.kind === "code" ? exit.code : exit, text: text.trim(), refused };
}

const listed = () => [`web.test:${webPort}`, `127.0.0.1:${webPort}`, `127.0.0.1:${echoPort}`];
const curl = (args: string) => `curl -sS --max-time 20 ${args}`;

test("a host in the list is reached by name, without a resolver in the sandbox", async () => {
  expect(await runIn(listed(), curl(`-d body http://web.test:${webPort}/path?q`))).toEqual({
    code: 0,
    text: `POST /path?q web.test:${webPort} body`,
    refused: [],
  });
});

test("a tunnel carries bytes both ways", async () => {
  const command = curl(`-p -d tunnelled http://web.test:${webPort}/`);

  expect((await runIn(listed(), command)).text).toBe(`POST / web.test:${webPort} tunnelled`);
});

test("another host, another port and an address that is not in the list are refused and named", async () => {
  const { text, refused } = await runIn(
    [`web.test:${webPort}`],
    [`http://other.test/`, `http://web.test:${echoPort}/`, `http://127.0.0.1:${webPort}/`]
      .map((url) => curl(url))
      .join("; "),
  );

  expect(text).toContain("limpet: the sandbox does not allow connections to other.test:80.");
  expect(refused).toEqual(["other.test:80", `web.test:${echoPort}`, `127.0.0.1:${webPort}`]);
});

test("a name in the list that leads to this machine is refused, unless the address is listed", async () => {
  expect(await runIn([`inner.test:${webPort}`], curl(`http://inner.test:${webPort}/`))).toMatchObject({
    refused: [`inner.test:${webPort}`],
  });
});

test("localhost in the list is this machine", async () => {
  expect((await runIn([`localhost:${webPort}`], curl(`http://localhost:${webPort}/`))).text).toContain("GET /");
});

describe("without the proxy, nothing is reached", () => {
  const direct = (port: () => number) => `exec 3<>/dev/tcp/127.0.0.1/${port()} && echo open`;

  test("by TCP, also to a host in the list", async () => {
    expect(
      (
        await runIn(
          listed(),
          direct(() => webPort),
        )
      ).text,
    ).toMatch(/Permission denied/);
  });

  test.skipIf(!needs("python3"))("by any other socket, a listener, or data in the first packet", async () => {
    const { text } = await runIn(
      listed(),
      `python3 - <<'end'
import errno, socket
def attempt(act):
  try: act(); print("done", end=" ")
  except OSError as error: print(errno.errorcode[error.errno], end=" ")
tcp = lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM)
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
attempt(lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM))
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW))
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262))
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 132))
attempt(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4))
attempt(lambda: tcp().listen())
attempt(lambda: tcp().sendto(b"x", 0x20000000, ("127.0.0.1", ${webPort})))
attempt(lambda: tcp().sendmsg([b"x"], [], 0x20000000, ("127.0.0.1", ${webPort})))
attempt(lambda: tcp().connect(("127.0.0.1", ${webPort})))
attempt(lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM).connect(("::ffff:127.0.0.1", ${webPort})))
attempt(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))
end`,
    );

    expect(text.split(/\s+/)).toEqual([
      ...Array.from({ length: 7 }, () => "EACCES"),
      "EPERM",
      "EPERM",
      "EACCES",
      "EACCES",
      "done",
    ]);
  });
});

describe.skipIf(!needs("python3"))("what a program writes to the proxy by itself", () => {
  /** The first line of each answer, to requests that have the password of the session. */
  async function answersTo(requests: readonly string[]): Promise<readonly string[]> {
    const { text } = await runIn(
      [...listed(), "*.web.test", "public.test"],
      `python3 - <<'end'
import base64, json, os, socket, urllib.parse as u
proxy = u.urlsplit(os.environ["HTTPS_PROXY"])
auth = "Proxy-Authorization: Basic " + base64.b64encode(f"{proxy.username}:{proxy.password}".encode()).decode()
for at, text in enumerate(json.loads(r'''${JSON.stringify(requests)}''')):
  with socket.create_connection((proxy.hostname, proxy.port), 20) as s:
    s.sendall(text.replace("AUTH", auth).encode("latin1"))
    s.settimeout(20)
    print(at, s.recv(4096).decode("latin1").split("\\r\\n")[0] or "closed")
end`,
    );
    // Numbered, so that equal lines are not shown as one.
    return text.split("\n").map((line) => line.replace(/^\d+ /, ""));
  }
  const connectTo = (authority: string) => `CONNECT ${authority} HTTP/1.1\r\nHost: web.test\r\nAUTH\r\n\r\n`;
  const get = (url: string, more = "") => `GET ${url} HTTP/1.1\r\nHost: web.test:${webPort}\r\nAUTH\r\n${more}\r\n`;

  test("reaches no other host by the form of its name", async () => {
    const authorities = [
      ...[`127.0.0.1:${echoPort + 1}`, `127.0.0.2:${webPort}`, `[::1]:${webPort}`, `[::ffff:127.0.0.1]:22`],
      ...[`localhost:${webPort}`, `web.test@127.0.0.1:22`, `127.0.0.1#.web.test:${webPort}`, `2130706433:${webPort}`],
      ...[`0x7f000001:${webPort}`, `127.1:${webPort}`, `web.test.:22`, `x.web.test:${webPort}`, `web.test:${webPort}0`],
      ...[`web.test:+${webPort}`, `public.test:443`, `other.test:443`, "web.test", ":80", "*:80", "0.0.0.0:80"],
    ];

    const answers = await answersTo(authorities.map(connectTo));

    expect(answers.map((line, at) => [authorities[at], line]).filter(([, line = ""]) => / 200 /.test(line))).toEqual(
      [],
    );
    expect(answers).toHaveLength(authorities.length);
  });

  test("reaches only the host of its first line, whatever its other lines say", async () => {
    const other = `http://127.0.0.1:${echoPort + 1}/`;
    const answers = await answersTo([
      get(`http://web.test:${webPort}/one`),
      get(other),
      get("/relative"),
      get(`https://web.test:${webPort}/`),
      get(`ftp://web.test:${webPort}/`),
      get(`http://web.test:${webPort}@127.0.0.1:22/`),
      get(other, `X-Forwarded-Host: web.test\r\n`),
      get(other, `Host: web.test:${webPort}\r\n`),
      `GET http://web.test:${webPort}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\nAUTH\r\n\r\n0\r\n\r\nGET ${other} HTTP/1.1\r\n\r\n`,
      "GARBAGE\r\n\r\n",
    ]);

    expect(answers[0]).toBe("HTTP/1.1 200 OK");
    expect(answers.slice(1).filter((line) => / 200 /.test(line))).toEqual([]);
  });
});

test("the proxy is only for the session that has its password, and while it runs", async () => {
  const { text } = await runIn(listed(), "echo $HTTPS_PROXY; echo $https_proxy; echo $ALL_PROXY; echo [$NO_PROXY]");
  const [url = "", ...others] = text.split("\n");
  const { port, username, password } = new URL(url);
  const ask = (authorization: string) =>
    new Promise<string>((done) => {
      const socket = connect(Number(port), "127.0.0.1", () =>
        socket.write(`CONNECT web.test:${webPort} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`),
      );
      socket.once("data", (bytes) => {
        done(bytes.toString().split("\r\n")[0] ?? "");
        socket.destroy();
      });
    });
  const basic = (user: string) => `Proxy-Authorization: Basic ${Buffer.from(user).toString("base64")}\r\n`;

  expect(others).toEqual([url, url, "[]"]);
  expect(await ask("")).toBe("HTTP/1.1 407 Refused");
  expect(await ask(basic("limpet:wrong"))).toBe("HTTP/1.1 407 Refused");
  expect(await ask(basic(`${username}:${password}`))).toBe("HTTP/1.1 407 Refused");
});
