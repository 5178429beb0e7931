/** The tests of one client, each in a home of its own, with a model of its own. */
import { makeHome } from "./client-home.mjs";
import { clients } from "./clients.mjs";
import { startModel } from "./model-server.mjs";
import { startClient } from "./start-client.mjs";
import { afterKill, beforeKill, everyTool, longWait } from "./stories.mjs";

const WAIT_SECONDS = 70;
/** Each takes a few seconds on an idle machine. */
const PROMPT_MS = 240_000;
const LIST_MS = 120_000;
const LIST_TRIES = 5;
const CONNECT_TRIES = 5;
const TOLD = Symbol("told");
const TOKEN_NAME = "on-the-laptop";

/** What limpet tells agents about itself in their files of instructions. */
const INSTRUCTION = "Use the tools of the MCP server limpet instead of the built-in shell";

/** Each resolves with its claims: `{ claim, problem }`, where an empty problem is a pass. */
export const tests = { setup: testSetup, tools: testTools, wait: testWait, resume: testResume, http: testHttp };

/** How many claims these tests make about a client. */
export const CLAIMS = 30;

async function testSetup(given) {
  return withClient(given, async ({ home, start, claim, client }) => {
    let listed = await start(client.list, LIST_MS);
    // Gemini gives a server five seconds to start, which may be too short on a busy machine.
    for (let tries = 1; tries < LIST_TRIES && !client.listed.test(listed.text); tries += 1) {
      listed = await start(client.list, LIST_MS);
    }
    claim("the client accepts and lists the server", client.listed.test(listed.text) ? "" : listed.text);
    await home.limpet("setup", given.name, "--remove", "--instructions");
    const after = await start(client.list, LIST_MS);
    claim("after its removal the client does not list it", /limpet mcp/.test(after.text) ? after.text : "");
  });
}

async function testTools(given) {
  return withClient(given, async ({ client, home, model, converse, hold, claim }) => {
    await converse(everyTool(hold));
    const names = home.messages().flatMap(({ params }) => clientName(params) ?? []);
    claim("limpet knows the client's name", names[0] === client.name ? "" : `the client says ${names[0]}`);
    claim(
      "the agent is told when to use limpet",
      model.prompt.includes(INSTRUCTION) ? "" : "the instruction is missing",
    );
  });
}

/** The same over HTTP, with a token that only the environment has. */
async function testHttp(given) {
  return withClient(given, async ({ home, converse, hold, claim }) => {
    const server = await home.serve();
    try {
      const made = await home.limpet("token", "create", TOKEN_NAME);
      home.env.LIMPET_TOKEN = /limpet_\S+/.exec(made.output)?.[0] ?? "";
      const written = await home.limpet("setup", given.name, "--write", "--http", server.url);
      if (!written.ok) throw new Error(`limpet setup --http failed: ${written.output}`);
      await converse(everyTool((title, ...rest) => hold(`over HTTP, ${title}`, ...rest)));
      const { output } = await home.limpet("ls", "--json");
      const isNamed = output.includes(TOKEN_NAME);
      claim("over HTTP, the caller has the name of its token", isNamed ? "" : `not in ${JSON.stringify(output)}`);
    } finally {
      await server.close();
    }
  });
}

/** In `initialize`, or in every request of the protocol of 2026. */
function clientName(params) {
  return (params?.clientInfo ?? params?._meta?.["io.modelcontextprotocol/clientInfo"])?.name;
}

async function testWait(given) {
  return withClient(given, ({ converse, hold }) => converse(longWait(hold, WAIT_SECONDS), WAIT_SECONDS * 1000));
}

async function testResume(given) {
  return withClient(given, async ({ client, model, talk, converse, hold }) => {
    const thinks = new Promise((resolve, reject) => {
      model.follow(beforeKill(resolve)).catch(reject);
    });
    const first = await talk(client.prompt("start"), PROMPT_MS, thinks);
    first.kill();
    await first.ended;
    await converse(afterKill(hold), 0, client.resume);
  });
}

/**
 * Connects a client with `limpet setup` in a home of its own, and calls `test` with what it needs. Resolves with the
 * claims that were made.
 */
export async function withClient(given, test) {
  const { name, command, directory, env, client = clients[name], openHome = makeHome } = given;
  const model = await startModel(client.dialect);
  const home = openHome(directory, { env, proxy: model.url });
  Object.assign(home.env, client.env(home, model.url));
  const claims = [];
  const claim = (title, problem) => claims.push({ claim: title, problem });
  const launch = (args, limitMs) => startClient(command, args, { env: home.env, cwd: home.project, limitMs });
  const parts = {
    client,
    model,
    home,
    claim,
    launch,
    /** Runs the client to its end. */
    async start(args, limitMs) {
      const run = launch(args, limitMs);
      const how = await run.ended;
      return { how, text: run.output() };
    },
    /** Starts the client, and resolves with its process when `told` resolves. */
    async talk(args, limitMs, told) {
      for (let tries = 1; ; tries += 1) {
        const run = launch(args, limitMs);
        told.catch(() => run.kill());
        const how = await Promise.race([told.then(() => TOLD), run.ended]);
        if (how === TOLD) return run;
        // Claude Code may ask its model before it has connected its servers, and then it offers no tool of ours.
        if (how === "" && model.prompt === "" && tries < CONNECT_TRIES) continue;
        throw new Error(`The client ended before the model was done (${how}): ${run.output().slice(-2_000)}`);
      }
    },
    /** A conversation of the client with a model that follows this story. */
    async converse(story, extraMs = 0, argsOf = client.prompt) {
      const run = await parts.talk(argsOf("Go on."), PROMPT_MS + extraMs, model.follow(story));
      await run.ended;
    },
    hold(title, { text }, ...patterns) {
      const missing = patterns.filter((pattern) => !pattern.test(text));
      claim(
        title,
        missing.length === 0 ? "" : `${missing.join(" and ")} not in ${JSON.stringify(text.slice(0, 2_000))}`,
      );
    },
  };
  try {
    client.configure(home, model.url);
    home.handOver?.();
    const written = await home.limpet("setup", name, "--write", "--instructions");
    if (!written.ok) throw new Error(`limpet setup failed: ${written.output}`);
    await test(parts);
  } catch (error) {
    claim("the test runs to its end", error.message);
  } finally {
    model.close();
    await home.limpet("host", "stop");
  }
  return { claims, refused: model.refused };
}
