/** With a list of hosts, programs connect to the proxy of limpet and to nothing else, whatever they try. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSession } from "../../../src/entries/session.ts";
import { sandboxTransport } from "../../../src/entries/transport.ts";
import { traceFacts } from "../../../src/safety/sandbox/network/require-connects.ts";
import { proxyPort } from "../../../src/safety/sandbox/network/use-proxy.ts";
import { skipWithout } from "../../support/needs.ts";
import { suiteSandbox } from "../../support/suite-sandbox.ts";

const { setUp, tearDown } = skipWithout(
  "landlock",
  ...(suiteSandbox() === "bwrap" ? (["bwrap"] as const) : []),
  "python3",
);

const project = mkdtempSync(join(tmpdir(), "limpet-test-"));
afterAll(() => rmSync(project, { recursive: true }));
/** On the port of the proxy, at other addresses of this machine: they stand for other machines. */
const ELSEWHERE = ["127.0.0.2", "127.9.9.9", ...(hasAddress("::1") ? ["::1"] : [])];
let others: readonly Server[] = [];
let port = 0;
let strangers = 0;

setUp(async () => {
  port = await proxyPort();
  others = ELSEWHERE.map((address) =>
    createServer((socket: Socket) => {
      strangers += 1;
      socket.on("error", () => undefined).end("reached");
    }).listen(port, address),
  );
  await Promise.all(others.map((other) => new Promise((done) => other.once("listening", done))));
});

tearDown(() => {
  for (const other of others) other.close();
});

function hasAddress(wanted: string): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === wanted));
}

const PRELUDE = `import ctypes, errno, os, selectors, socket, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
PORT = int(os.environ["HTTPS_PROXY"].rsplit(":", 1)[1])
tcp = lambda family=socket.AF_INET: socket.socket(family, socket.SOCK_STREAM)
def attempt(act):
  try: act(); print("done", end=" ")
  except OSError as error: print(errno.errorcode.get(error.errno, error.errno), end=" ")
def ask(connected):
  connected.settimeout(20)
  connected.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
  print(connected.recv(100).decode().split("\\r\\n")[0][9:12], end=" ")
`;

async function run(command: string): Promise<string> {
  const sandbox = { files: "workspace", network: ["web.test"], project, with: suiteSandbox() } as const;
  const session = await openSession({
    command,
    shell: "/bin/bash",
    cwd: project,
    transport: sandboxTransport(sandbox),
  });
  await session.exited;
  const { text } = await session.text();
  await session.close({ force: true });
  return text.trim();
}

let scripts = 0;

async function python(code: string): Promise<readonly string[]> {
  scripts += 1;
  writeFileSync(join(project, `attempt-${scripts}.py`), PRELUDE + code);
  return (await run(`python3 attempt-${scripts}.py`)).split(/\s+/);
}

test("the port of the proxy is not reached at another address", async () => {
  const results = await python(`
for address in ["127.0.0.2", "127.9.9.9", "0.0.0.0", "127.0.0.1"]: attempt(lambda: tcp().connect((address, PORT)))
for address in ["::1", "::ffff:127.0.0.2", "::", "::ffff:127.0.0.1"]:
  attempt(lambda: tcp(socket.AF_INET6).connect((address, PORT)))
`);

  expect(results).toEqual(["EACCES", "EACCES", "EACCES", "done", "EACCES", "EACCES", "EACCES", "done"]);
  expect(strangers).toBe(0);
});

test("an address that changes during the call leads nowhere else", async () => {
  const results = await python(`
address = ctypes.create_string_buffer(struct.pack("=H", 2) + struct.pack(">H", PORT) + bytes([127, 0, 0, 1]) + bytes(8), 16)
isOver = False
def change():
  while not isOver: address[7] = b"\\x02"; address[7] = b"\\x01"
threading.Thread(target=change, daemon=True).start()
seen = set()
for _ in range(150):
  with tcp() as s: seen.add(errno.errorcode[ctypes.get_errno()] if libc.connect(s.fileno(), address, 16) else "done")
isOver = True
print(*sorted(seen))
`);

  expect(["EACCES", "done"]).toEqual(expect.arrayContaining([...results]));
  expect(strangers).toBe(0);
});

test("a socket that is replaced during the call leads nowhere else", async () => {
  const results = await python(`
fd = tcp().detach()
isOver = False
def replace():
  while not isOver:
    with tcp() as fresh: os.dup2(fresh.fileno(), fd)
threading.Thread(target=replace, daemon=True).start()
seen = set()
for at in range(150):
  address = struct.pack("=H", 2) + struct.pack(">H", PORT) + bytes([127, 0, 0, 1 + at % 2]) + bytes(8)
  seen.add(errno.errorcode[ctypes.get_errno()] if libc.connect(fd, address, 16) else "done")
isOver = True
print(*sorted(seen - {"EISCONN"}))
`);

  expect(["EACCES", "done"]).toEqual(expect.arrayContaining([...results]));
  expect(strangers).toBe(0);
});

test("sockets that wait, sockets that do not, and those of version 6 reach the proxy", async () => {
  const results = await python(`
waiting, version6, impatient = tcp(), tcp(socket.AF_INET6), tcp()
waiting.connect(("127.0.0.1", PORT)); ask(waiting)
version6.connect(("::ffff:127.0.0.1", PORT)); ask(version6)
impatient.setblocking(False)
selector = selectors.DefaultSelector(); selector.register(impatient, selectors.EVENT_WRITE)
print(errno.errorcode.get(impatient.connect_ex(("127.0.0.1", PORT)), "done") in ["done", "EINPROGRESS"], end=" ")
selector.select(20); ask(impatient)
attempt(lambda: waiting.connect(("127.0.0.1", PORT)))
`);

  expect(results).toEqual(["407", "407", "True", "407", "EISCONN"]);
});

test("many threads reach it at once", async () => {
  const results = await python(`
def one():
  with socket.create_connection(("127.0.0.1", PORT), 20) as s: ask(s)
threads = [threading.Thread(target=one) for _ in range(32)]
for each in threads: each.start()
for each in threads: each.join()
`);

  expect(results).toEqual(Array.from({ length: 32 }, () => "407"));
});

test("mistakes get the errors of the kernel", async () => {
  const results = await python(`
given = struct.pack("=H", 2) + struct.pack(">H", PORT) + bytes([127, 0, 0, 1]) + bytes(8)
def connect(fd, address, length):
  if libc.connect(fd, address, length): raise OSError(ctypes.get_errno(), "connect")
attempt(lambda: connect(99, given, 16))
attempt(lambda: connect(0, given, 16))
attempt(lambda: connect(tcp().detach(), ctypes.c_void_p(1), 16))
attempt(lambda: connect(tcp().detach(), None, 16))
attempt(lambda: connect(tcp().detach(), given, -1))
attempt(lambda: connect(tcp().detach(), given, 4))
`);

  expect(results).toEqual(["EBADF", "ENOTSOCK", "EFAULT", "EFAULT", "EINVAL", "EINVAL"]);
});

/** Elsewhere the kernel does not show limpet a program that has lost its parent. */
const seesOrphans = () => {
  const { scope, isCapable } = traceFacts();
  return scope === 0 || isCapable;
};

test.skipIf(!seesOrphans())("a program whose parent has ended reaches it", async () => {
  const results = await python(`
near, far = os.pipe()
if os.fork() == 0:
  parent = os.getpid()
  if os.fork() > 0: os._exit(0)
  while os.getppid() == parent: time.sleep(0.01)
  os.dup2(far, 1)
  attempt(lambda: tcp().connect(("127.0.0.1", PORT)))
  sys.stdout.flush()
  os._exit(0)
os.wait()
os.close(far)
print(os.read(near, 100).decode())
`);

  expect(results).toEqual(["done"]);
});

test("a namespace of its own does not help a program", async () => {
  const results = await python(`
print(libc.unshare(0x10000000 | 0x40000000) in [0, -1], end=" ")
attempt(lambda: tcp().connect(("127.0.0.2", PORT)))
`);

  expect(results[0]).toBe("True");
  expect(results[1]).not.toBe("done");
  expect(strangers).toBe(0);
});

test("a flood of connections does not use up the descriptors of limpet", async () => {
  const before = readdirSync("/proc/self/fd").length;

  const [refused, most] = await python(`
import resource
from concurrent.futures import ThreadPoolExecutor
connect = lambda _: socket.create_connection(("127.0.0.1", PORT), 20)
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
for _ in range(5):
  started = time.monotonic()
  # Side by side: on a busy machine, each of them waits for its turn.
  with ThreadPoolExecutor(16) as pool: flood = list(pool.map(connect, range(2300)))
  # A connection without a request is closed after ten seconds: on a busy machine, the first ones while others connect.
  if time.monotonic() - started < 8: break
  for each in flood: each.close()
selector = selectors.DefaultSelector()
for each in flood: selector.register(each, selectors.EVENT_READ)
refused = 0
while refused < 200:
  ready = [key.fileobj for key, _ in selector.select(20)]
  if not ready: break
  # Or the next call would return those again, without waiting for others.
  for each in ready: selector.unregister(each)
  refused += len(ready)
print(refused >= 200, len(flood) - refused > 1500)
`);

  expect([refused, most]).toEqual(["True", "True"]);
  await expect.poll(() => readdirSync("/proc/self/fd").length, { timeout: 20_000 }).toBeLessThan(before + 100);
});
