/** Server-sent streams: whole, resumed, ended, and never filling the memory. */
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Routes, StreamEvent, WebRequest } from "../../../src/web/server/route.ts";
import { until } from "../../support/sessions.ts";
import { type ServedWeb, serveWeb } from "../../support/web/serve-web.ts";

const MEGABYTE = 1024 * 1024;

function streamOf(events: (request: WebRequest) => AsyncIterable<StreamEvent>): Routes {
  return {
    routes: [
      {
        method: "GET",
        path: "/events",
        right: null,
        answer: async (request) => ({ kind: "events", events: events(request) }),
      },
    ],
  };
}

function listen(web: ServedWeb, headers = "") {
  const state = { text: "", isOver: false };
  const socket = connect(web.port, "127.0.0.1", () =>
    socket.write(`GET /events HTTP/1.1\r\nHost: ${web.host}\r\n${headers}\r\n`),
  );
  socket.on("data", (chunk) => {
    state.text += chunk;
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    state.isOver = true;
  });
  onTestFinished(() => void socket.destroy());
  return { state, socket };
}

test("events arrive one by one as they happen, and the stream ends with them", async () => {
  let go: () => void = () => undefined;
  const second = new Promise<void>((resolve) => {
    go = resolve;
  });
  const web = await serveWeb(
    streamOf(async function* () {
      yield { event: "one", id: "1", data: { text: "</script>\n" } };
      await second;
      yield { event: "two", data: null };
    }),
  );
  const { state } = listen(web);
  await until(() => state.text.includes("\n\n"), "the first event arrives");
  await until(() => state.text.includes('id: 1\nevent: one\ndata: {"text":"</script>\\n"}\n\n'), "it is whole");
  expect(state.text).toMatch(/^content-type: text\/event-stream; charset=utf-8\r$/im);
  expect(state.text).toMatch(/^cache-control: no-store\r$/im);
  expect(state.text).not.toContain("event: two");

  go();
  await until(() => state.text.endsWith("\r\n0\r\n\r\n"), "the stream has ended");
  expect(state.text).toContain("event: two\ndata: null\n\n");
});

test("a reader that comes back says where it was", async () => {
  const web = await serveWeb(
    streamOf(async function* ({ lastEventId }) {
      yield { event: "from", data: lastEventId };
    }),
  );
  const { state } = listen(web, "Last-Event-ID: 12:34\r\n");

  await until(() => state.text.includes('data: "12:34"'), "it continues there");
});

test("a reader that does not read is not written for", async () => {
  let made = 0;
  const web = await serveWeb(
    streamOf(async function* () {
      for (;;) {
        made += 1;
        yield { event: "much", data: "x".repeat(MEGABYTE) };
      }
    }),
  );
  const { socket } = listen(web);
  socket.pause();
  await until(() => made > 1, "it has started");
  let before = 0;
  // No more are made for as long as the kernel takes none.
  await until(async () => {
    const isSame = made === before;
    before = made;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return isSame && made === before;
  }, "it waits for the reader");

  expect(made).toBeLessThan(40);
});

test("a reader that goes away ends what makes its events", async () => {
  let isOver = false;
  const web = await serveWeb(
    streamOf(async function* ({ signal }) {
      try {
        yield { event: "one", data: 1 };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      } finally {
        isOver = true;
      }
    }),
  );
  const { state, socket } = listen(web);
  await until(() => state.text.includes("event: one"), "the stream has started");

  socket.destroy();
  await until(() => isOver, "the route has ended");
  await until(() => web.server.streams === 0, "the server has forgotten the stream");
});

test("a route that fails in the middle of its stream ends it, and is reported", async () => {
  const web = await serveWeb(
    streamOf(async function* () {
      yield { event: "one", data: 1 };
      throw new Error("broken inside");
    }),
  );
  const { state } = listen(web);

  await until(() => state.isOver || state.text.endsWith("0\r\n\r\n"), "the stream has ended");
  await until(() => web.problems.some((problem) => problem.includes("broken inside")), "it is reported");
});
