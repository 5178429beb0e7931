/**
 * A stand-in for the API of a model, on loopback. The model follows a story: a generator that yields tool calls and
 * receives what the client passes to its model. All other requests of a client get a short answer.
 */
import { createServer } from "node:http";

/** The names of our tools contain this in every client. */
const SERVER = "limpet";

/** Which of a client's tools a story calls, and the suffix of the client's tool name for a name in a story. */
const OUR_TOOLS = { isOurs: (name) => name.includes(SERVER), suffix: (call) => `_${call}` };

export async function startModel(dialect, which = OUR_TOOLS) {
  const model = new Model(dialect, which);
  const http = createServer((request, response) => {
    model.handle(request, response).catch((error) => response.destroy(error));
  });
  // A proxy for requests to other machines: it refuses and records them.
  http.on("connect", (request, socket) => {
    model.refused.push(request.url);
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  model.url = `http://127.0.0.1:${http.address().port}`;
  model.close = () => {
    http.closeAllConnections();
    http.close();
  };
  return model;
}

class Model {
  url = "";
  /** Hosts that a client wanted to reach beyond this machine. */
  refused = [];
  /** The first request of the story, as text: all that the model knows at the start. */
  prompt = "";
  #dialect;
  #which;
  #tools = [];
  #story = undefined;
  #seen = -1;
  #step = { say: "ready" };
  #count = 0;

  constructor(dialect, which) {
    this.#dialect = dialect;
    this.#which = which;
  }

  /** The definitions of these tools, as the client has sent them to its model. */
  tools(names) {
    return this.#tools.filter(({ name }) => names.includes(name));
  }

  /** The next conversation follows this story. Resolves with what the story returns. */
  follow(story) {
    this.#seen = -1;
    this.prompt = "";
    return new Promise((resolve, reject) => {
      this.#story = { steps: story(), resolve, reject };
    });
  }

  async handle(request, response) {
    let text = "";
    for await (const chunk of request) text += chunk;
    const path = request.url ?? "/";
    const io = output(response, path);
    if (!this.#dialect.isTurn(request.method, path)) return io.json(this.#dialect.other ?? {});
    const body = JSON.parse(text);
    const names = this.#dialect.toolNames(body);
    const { isOurs, suffix } = this.#which;
    if (Array.isArray(body.tools)) this.#tools = body.tools;
    const hasOurs = names.some((name) => isOurs(name));
    const step = hasOurs && this.#story ? await this.#next(body, text) : { say: "ok" };
    // The client will be killed.
    if (step === undefined) return;
    this.#count += 1;
    const call = step.call && names.find((name) => isOurs(name) && name.endsWith(suffix(step.call)));
    if (step.call && !call) throw new Error(`The client does not offer ${step.call}.`);
    this.#dialect.answer({ ...step, call, args: step.args ?? {} }, { id: this.#count, path, body, ...io });
    response.end();
  }

  /** A request that is sent again gets the same answer again. */
  async #next(body, text) {
    const results = this.#dialect.results(body);
    if (results.length === this.#seen) return this.#step;
    this.prompt ||= text;
    this.#seen = results.length;
    const { steps, resolve, reject } = this.#story;
    try {
      const { value, done } = await steps.next(results.at(-1));
      if (done) {
        this.#story = undefined;
        resolve(value);
      }
      this.#step = done ? { say: "done" } : value;
    } catch (error) {
      this.#story = undefined;
      this.#step = { say: "done" };
      reject(error);
    }
    return this.#step;
  }
}

function output(response, path) {
  const stream = () => response.headersSent || response.writeHead(200, { "content-type": "text/event-stream" });
  return {
    send(type, fields) {
      stream();
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
    },
    data(value) {
      stream();
      response.write(`data: ${JSON.stringify(value)}\r\n\r\n`);
    },
    json(value) {
      const isFound = path !== "/";
      response.writeHead(isFound ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(value));
    },
  };
}
