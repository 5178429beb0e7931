/** A stand-in for the services of language models, so that agents run without a network: it streams, slowly. */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const WORDS = ["Tulips", " are", " in", " the", " gar", "den", "."];
const PAUSE_MS = 250;

export async function openModel() {
  const server = createServer(async (request, response) => {
    const body = await read(request);
    if (request.url.includes("/messages") && request.method === "POST") return await anthropic(response, body);
    if (request.url.includes("/responses") && request.method === "POST") return await openai(response);
    if (request.url.includes("/chat/completions")) return await chat(response, body);
    if (request.url.includes("GenerateContent") || request.url.includes("generateContent"))
      return await gemini(response);
    response.writeHead(404, { "content-type": "application/json" }).end("{}");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${server.address().port}`;
  const close = () => new Promise((done) => server.close(done).closeAllConnections());
  return { env: { MODEL_URL: url, ...offline(url) }, close };
}

/** Everything but the loopback address leads nowhere. */
function offline() {
  const nowhere = "http://127.0.0.1:9";
  return { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, https_proxy: nowhere, NO_PROXY: "127.0.0.1,localhost" };
}

async function read(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

async function stream(response, events) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const { event, data } of events) {
    if (data?.text !== undefined || data?.delta !== undefined || data?.choices || data?.candidates)
      await sleep(PAUSE_MS);
    response.write(
      `${event ? `event: ${event}\n` : ""}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`,
    );
  }
  response.end();
}

async function anthropic(response, body) {
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: body.model ?? "m",
    content: [],
    stop_reason: null,
  };
  const usage = { input_tokens: 1, output_tokens: 1 };
  if (body.stream !== true) {
    const content = [{ type: "text", text: "Tulips" }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...message, content, stop_reason: "end_turn", usage }));
    return;
  }
  const named = (data) => ({ event: data.type, data });
  await stream(response, [
    named({ type: "message_start", message: { ...message, usage } }),
    named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...WORDS.map((text) => named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
    named({ type: "content_block_stop", index: 0 }),
    named({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 9 },
    }),
    named({ type: "message_stop" }),
  ]);
}

async function openai(response) {
  const named = (data) => ({ event: data.type, data });
  const item = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: WORDS.join(""), annotations: [] }],
  };
  await stream(response, [
    named({ type: "response.created", response: { id: "resp_1" } }),
    named({
      type: "response.output_item.added",
      output_index: 0,
      item: { ...item, status: "in_progress", content: [] },
    }),
    ...WORDS.map((delta) =>
      named({ type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta }),
    ),
    named({ type: "response.output_item.done", output_index: 0, item }),
    named({
      type: "response.completed",
      response: { id: "resp_1", output: [item], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
    }),
  ]);
}

async function chat(response, body) {
  const chunk = (delta, finish_reason = null) => ({
    data: {
      id: "c",
      object: "chat.completion.chunk",
      model: body.model,
      choices: [{ index: 0, delta, finish_reason }],
    },
  });
  if (body.stream !== true) {
    const message = { role: "assistant", content: WORDS.join("") };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        id: "c",
        object: "chat.completion",
        model: body.model,
        choices: [{ index: 0, message, finish_reason: "stop" }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
    return;
  }
  await stream(response, [
    ...WORDS.map((content) => chunk({ role: "assistant", content })),
    chunk({}, "stop"),
    { data: "[DONE]" },
  ]);
}

async function gemini(response) {
  await stream(
    response,
    WORDS.map((text, index) => ({
      data: {
        candidates: [
          {
            content: { role: "model", parts: [{ text }] },
            index: 0,
            ...(index === WORDS.length - 1 ? { finishReason: "STOP" } : {}),
          },
        ],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      },
    })),
  );
}
