/** What is typed into containers of real engines reaches its program as on this machine: counted, in order, in time. */
import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { openSession } from "../../../src/session/open/open-session.ts";
import type { Session } from "../../../src/session/session.ts";
import type { ContainerEngine } from "../../../src/transport/container/container.ts";
import { containerTransport } from "../../../src/transport/container/container-transport.ts";
import { useEngine } from "../../support/containers/engine.ts";
import { errorOf, outputHas, until } from "../../support/sessions.ts";

// Engines start processes in several steps, each of which waits for a processor on a busy machine.
vi.setConfig({ testTimeout: 240_000 });
const READY_MS = 90_000;
/** Letters and line ends, no two kilobytes alike. */
const LINES = Array.from({ length: 400 }, (_, line) => `${line}`.padStart(74, "abcdefg"))
  .join("\n")
  .concat("\n");
const GO = "until [ -e /tmp/go ]; do sleep 0.05; done";

/** For a file of its own for each engine: podman would read the settings of docker. */
export function testInput(kind: ContainerEngine): void {
  const engine = useEngine(kind);

  const open = async (script: string, { tty = true, isHere = true, name = engine.start() } = {}) => {
    const session = await openSession({
      transport: containerTransport({ container: { engine: kind, name }, isHere }),
      baseEnv: async () => ({}),
      cwd: "/tmp",
      program: "sh",
      args: ["-c", script],
      tty,
    });
    await outputHas(session, "ready", READY_MS);
    return session;
  };
  const letGo = (name: string) => engine.tool("exec", name, "touch", "/tmp/go");
  const allOf = async (session: Session) => {
    await session.ended;
    return (await session.readText()).text;
  };

  test("Ctrl+C overtakes 30 kB that the program has not read, and discards them", async () => {
    await using session = await open(
      "stty -echo; trap 'echo INT came; exit 7' INT; echo ready; while :; do sleep 0.1; done",
    );
    const typing = errorOf(session.write(LINES));
    await until(() => session.unreadInputBytes === LINES.length, "it is typed");

    await session.write("\x03");

    expect(await typing).toMatchObject({ code: "INPUT_DISCARDED" });
    expect(await session.exited).toEqual({ kind: "code", code: 7 });
    expect(await allOf(session)).toContain("INT came");
  });

  test("30 kB reach a program that starts to read later, in order", async () => {
    const name = engine.start();
    await using session = await open(`stty raw -echo; echo ready; ${GO}; head -c ${LINES.length} | md5sum`, { name });
    const typing = session.write(LINES);
    await until(() => session.unreadInputBytes === LINES.length, "it is typed");

    letGo(name);

    await typing;
    expect(await allOf(session)).toContain(createHash("md5").update(LINES).digest("hex"));
  });

  test("100 kB on pipes are counted until the program reads them, and the end of the input follows", async () => {
    const name = engine.start();
    await using session = await open(`echo ready; ${GO}; wc -c`, { name, tty: false });
    const typing = session.write("x".repeat(100_000));
    await until(() => session.unreadInputBytes === 100_000, "it is counted");

    letGo(name);
    await typing;
    session.endInput();

    expect(await allOf(session)).toMatch(/100000/);
  });

  test("a program that ends reports what it never got", async () => {
    const name = engine.start();
    await using session = await open(`stty -echo; echo ready; ${GO}`, { name });
    const typing = errorOf(session.write(LINES));
    await until(() => session.unreadInputBytes === LINES.length, "it is typed");

    letGo(name);

    expect(await typing).toMatchObject({ code: "INPUT_NOT_DELIVERED" });
  });

  test.each([
    ["past the engine", true],
    ["through the engine", false],
  ])("the keys with which people leave a container reach its program %s", async (_way, isHere) => {
    await using session = await open("stty raw -echo; echo ready; head -c 2 | od -An -tx1; sleep 1000", { isHere });

    await session.write("\x10\x11");

    await outputHas(session, " 10 11");
  });
}
