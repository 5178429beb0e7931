/** What the official client does with a server, over any transport. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connected, Era } from "./mcp.ts";
import { skipTestWithout } from "./needs.ts";
import { pidsWith, uniqueSeconds } from "./processes.ts";
import { until } from "./sessions.ts";

/** `open` starts a server and connects to it. */
export function officialClientClaims(open: (era: Era) => Promise<Connected>): void {
  describe.each<Era>(["legacy", "2026-07-28"])("the official client in the protocol %s", (era) => {
    let server: Connected;
    beforeAll(async () => {
      server = await open(era);
    });
    afterAll(() => server[Symbol.asyncDispose]());

    test("is told who serves and how to go on", () => {
      expect(server.client.getServerVersion()).toMatchObject({ name: "limpet" });
      expect(server.client.getInstructions()).toContain("Continue with write_stdin, wait_for,");
    });

    test("lists every tool with its hints", async () => {
      const { tools } = await server.client.listTools();

      expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
        ["run", false],
        ["exec_command", false],
        ["write_stdin", false],
        ["wait_for", true],
        ["read_output", true],
        ["read_screen", true],
        ["list_sessions", true],
        ["resize_session", false],
        ["close_session", false],
      ]);
    });

    test("drives a REPL from start to end with every tool", async () => {
      skipTestWithout("python3");
      const started = await server.structured("exec_command", { cmd: "python3 -q", login: false, name: `repl ${era}` });
      const id = started["session_id"];
      expect(started).toMatchObject({ running: true, yielded: "input", name: `repl ${era}` });

      expect(await server.call("write_stdin", { session_id: id, chars: "6 * 7\n", until: "42" })).toContain("42");
      // Python prints its prompt after the answer.
      const list = async () => await server.call("list_sessions");
      await expect.poll(list, { timeout: 20_000 }).toContain(`("repl ${era}"): waiting for input`);
      expect(await server.call("resize_session", { session_id: id, cols: 100, rows: 30 })).toContain("100");
      const size = "import os; print(os.get_terminal_size().columns)\n";
      expect(await server.call("write_stdin", { session_id: id, chars: size, until: "\n100" })).toContain("100");
      await server.call("write_stdin", { session_id: id, chars: "exit()\n", yield_time_ms: 0 });
      expect(await server.structured("wait_for", { session_ids: [id], events: ["exited"] })).toMatchObject({
        session_id: id,
        exit_code: 0,
        running: false,
      });
      expect(await server.structured("read_output", { session_id: id, grep: "^42$" })).toMatchObject({
        total_matches: 1,
      });
      expect(await server.call("close_session", { session_id: id })).toContain("closed");
    });

    test("gets a mistake as an answer with a code", async () => {
      const answer = await server.client.callTool({ name: "write_stdin", arguments: { session_id: 999, chars: "" } });

      expect(answer.isError).toBe(true);
      expect(answer.structuredContent).toMatchObject({ error: { code: "SESSION_NOT_FOUND" } });
    });

    test("reads output as a resource", async () => {
      const { session_id: id } = await server.structured("exec_command", { cmd: "echo held; cat", login: false });
      const uri = `limpet://sessions/${id}/output`;

      const listed = await server.client.listResources();
      const { contents } = await server.client.readResource({ uri });

      expect(listed.resources.map((resource) => resource.uri)).toContain(uri);
      expect(contents).toEqual([{ uri, mimeType: "text/plain", text: "held\n" }]);
      await expect(server.client.readResource({ uri: "limpet://sessions/none/output" })).rejects.toThrow("No session");
      await server.call("close_session", { session_id: id });
    });

    test("sees a screen, as text, as a picture and as a resource", async () => {
      const shown = "printf 'a \\033[7mchoice\\033[0m'; exec cat";
      const { session_id: id } = await server.structured("exec_command", { cmd: shown, login: false });
      const uri = `limpet://sessions/${id}/screen`;

      const text = await server.call("read_screen", { session_id: id });
      const picture = await server.client.callTool({
        name: "read_screen",
        arguments: { session_id: id, format: "png" },
      });
      const { contents } = await server.client.readResource({ uri });
      await server.call("close_session", { session_id: id, force: true });

      expect(text).toContain("Screen:\na ⟦choice⟧");
      expect(contents).toEqual([{ uri, mimeType: "text/plain", text: "a ⟦choice⟧" }]);
      expect(picture.content).toEqual([
        { type: "text", text: expect.stringMatching(/^Screen of session ID \d+, \d+x\d+\n/) },
        { type: "image", mimeType: "image/png", data: expect.stringMatching(/^iVBORw0KGgo/) },
      ]);
    });

    test("a shell keeps its state, and a command in it may ask", async () => {
      await server.call("run", { command: "kept=held; read answer; echo $kept $answer" });

      const answered = await server.structured("write_stdin", {
        session_id: "default",
        chars: "yes\n",
        yield_time_ms: 20_000,
      });
      await server.call("close_session", { session_id: "default", force: true });

      expect(answered).toMatchObject({ yielded: "finished", command_exit_code: 0, waiting_for: null });
      expect(answered["output"]).toContain("held yes");
    });

    test("a cancelled call ends the waiting and not the program", async () => {
      const seconds = uniqueSeconds();
      const { session_id: id } = await server.structured("exec_command", {
        cmd: `sleep ${seconds}`,
        login: false,
        yield_time_ms: 0,
      });
      const cancel = new AbortController();
      const waiting = server.client.callTool(
        { name: "wait_for", arguments: { session_ids: [id], events: ["exited"] } },
        { signal: cancel.signal },
      );
      cancel.abort();

      await expect(waiting).rejects.toThrow();
      expect(await server.structured("write_stdin", { session_id: id, chars: "" })).toMatchObject({ running: true });
      await until(() => pidsWith(`sleep\0${seconds}`).length > 0, "it sleeps");
      await server.call("close_session", { session_id: id, force: true });
    });

    test("32 calls wait at the same time, and none for another", async () => {
      const numbers = Array.from({ length: 32 }, (_, index) => index);
      const started = await Promise.all(
        numbers.map(() => server.structured("exec_command", { cmd: "cat", login: false, yield_time_ms: 0 })),
      );
      const ids = started.map(({ session_id }) => session_id);
      const waits = ids.map((id) =>
        server.structured("wait_for", { session_ids: [id], events: ["matched"], until: "go", deadline_ms: 40_000 }),
      );

      // In the opposite order: a call that waited for an earlier one would never return.
      for (const index of numbers.reverse()) {
        await server.call("write_stdin", { session_id: ids[index], chars: "go\n", yield_time_ms: 0, since: "now" });
        expect(await waits[index]).toMatchObject({ session_id: ids[index], yielded: "matched" });
      }

      await Promise.all(ids.map((id) => server.call("close_session", { session_id: id, force: true })));
    });
  });

  test("the first protocol tells subscribers of new output, and everybody of new sessions", async () => {
    await using server = await open("legacy");
    const told = newsOf(server);
    const { session_id: id } = await server.structured("exec_command", { cmd: "cat", login: false, yield_time_ms: 0 });
    const uri = `limpet://sessions/${id}/output`;
    await until(() => told.listChanges === 1, "the start is told");

    await server.client.subscribeResource({ uri });
    await server.call("write_stdin", { session_id: id, chars: "hello\n" });
    await until(() => told.updates.includes(uri), "the output is told");
    await server.call("write_stdin", { session_id: id, chars: "\u0004", yield_time_ms: 0 });

    await until(() => told.listChanges === 2, "the end is told");
  });

  test("the protocol of 2026 tells a listener of new output and of new sessions", async () => {
    await using server = await open("2026-07-28");
    const told = newsOf(server);
    const { session_id: id } = await server.structured("exec_command", { cmd: "cat", login: false, yield_time_ms: 0 });
    const uri = `limpet://sessions/${id}/output`;

    await server.client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
    await server.call("write_stdin", { session_id: id, chars: "hello\n" });
    await until(() => told.updates.includes(uri), "the output is told");
    await server.call("write_stdin", { session_id: id, chars: "\u0004", yield_time_ms: 0 });

    await until(() => told.listChanges > 0, "the end is told");
  });
}

/** What a client learns about resources. */
function newsOf({ client }: Connected) {
  const told = { updates: [] as string[], listChanges: 0 };
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    told.updates.push(params.uri);
  });
  client.setNotificationHandler("notifications/resources/list_changed", () => {
    told.listChanges += 1;
  });
  return told;
}
