/** Questions to a person through an MCP client over HTTP: approvals by a form, passwords by a link. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { LocalService } from "../../../src/service/local-service.ts";
import type { PasswordPrompt } from "../../../src/service/secrets/prompt.ts";
import { SessionRegistry } from "../../../src/session/registry/session-registry.ts";
import type { Era } from "../../support/mcp.ts";
import { policyOf } from "../../support/policy/policies.ts";
import { LONG_MS, temporaryDirectory } from "../../support/watching.ts";
import { connectHttp, type Elicitation, type HttpClient, serveMcpHttp } from "../../support/web/mcp-http.ts";

const SECRET = "correct horse battery";
const ASKS = 'read -rsp "Password: " p; echo; echo "length ${#p}"; read -rsp "Again: " p; echo "; $p"';
const PAGE = "http://limpet.localhost:1/#key=k&view=/prompt/";

let registry: SessionRegistry;
let sessions: LocalService;
beforeAll(() => {
  registry = new SessionRegistry();
  sessions = new LocalService(registry);
});
afterAll(() => registry.closeAll({ graceMs: 0 }));

type Question = Readonly<Record<string, unknown>>;

interface Asking {
  readonly client: HttpClient;
  /** The questions that the client was sent. */
  readonly asked: Question[];
  /** The prompts for which there was a link. */
  readonly linked: PasswordPrompt[];
}

interface Person {
  readonly elicitation?: Elicitation;
  readonly token?: string;
  /** What the person does with a question. */
  readonly does: (prompt: PasswordPrompt | undefined) => "accept" | "decline" | Promise<"accept" | "decline">;
}

async function asking(era: Era, { elicitation = { url: {} }, token = "alice", does }: Person): Promise<Asking> {
  const linked: PasswordPrompt[] = [];
  const { url } = await serveMcpHttp({
    sessions,
    passwordLink: async (prompt) => {
      linked.push(prompt);
      return `${PAGE}${prompt.id}`;
    },
  });
  const asked: Question[] = [];
  const answer = async (question: Question) => {
    asked.push(question);
    return { action: await does(linked.at(-1)) };
  };
  const client = await connectHttp(url, { era, elicitation, answer, token });
  onTestFinished(() => client[Symbol.asyncDispose]());
  return { client, asked, linked };
}

const start = { cmd: ASKS, login: false, shell: "/bin/bash", yield_time_ms: LONG_MS };

/** As the page does it, which the link leads to. */
async function type(prompt: PasswordPrompt | undefined): Promise<"accept"> {
  if (!prompt) throw new Error("there is no prompt");
  await sessions.answerPrompt(prompt.id, { token: prompt.token, value: SECRET });
  return "accept";
}

describe.each<Era>(["legacy", "2026-07-28"])("in the protocol %s", (era) => {
  test("a form asks for approval, and what is declined does not run", async () => {
    const folder = temporaryDirectory();
    const rules = { rules: [{ prefix: ["echo"], decision: "allow" }] };
    const { url } = await serveMcpHttp({ sessions, policy: { rules: () => policyOf(rules) } });
    const asked: string[] = [];
    await using client = await connectHttp(url, {
      era,
      elicitation: { form: {} },
      answer: ({ message }) => {
        asked.push(String(message));
        return { action: "accept", content: { decision: asked.length === 1 ? "once" : "deny" } };
      },
    });

    const allowed = await client.call("run", { command: `touch ${folder}/one` });
    const denied = await client.call("run", { command: `touch ${folder}/two` });

    expect(allowed).toContain("exited with code 0");
    expect(denied).toMatch(/^POLICY_DENIED: Approval \d+ was denied by a person in test/);
    expect(asked).toEqual([expect.stringContaining(`touch ${folder}/one`), expect.stringContaining("/two")]);
    expect(["one", "two"].map((name) => existsSync(join(folder, name)))).toEqual([true, false]);
  });

  test("a link asks for a password, and the call goes on with what follows it", async () => {
    const { client, asked, linked } = await asking(era, { does: type });

    const answer = await client.call("exec_command", start);

    const [prompt] = linked;
    expect(answer).toMatch(/^A person has typed the password in the browser/);
    expect(answer).toContain(`Password: \nlength ${SECRET.length}\nAgain:`);
    expect(answer).not.toContain(SECRET);
    expect(asked).toEqual([
      expect.objectContaining({
        mode: "url",
        url: `${PAGE}${prompt?.id}`,
        message: expect.stringContaining(`in session ${prompt?.id} waits for a password. Open the link to type it`),
      }),
    ]);
    await client.call("close_session", { session_id: prompt?.id, force: true });
  });

  test("a person who declines is not asked again about that session, and the agent is told", async () => {
    const { client, asked, linked } = await asking(era, { does: () => "decline" });

    const answer = await client.call("exec_command", start);
    const id = linked[0]?.id;
    const typed = { chars: "typed\n", until: "Again: $", yield_time_ms: LONG_MS };
    const next = await client.call("write_stdin", { session_id: id, ...typed });

    expect(answer).toMatch(/^The password was asked for through the client, and the question was declined/);
    expect(answer).toContain("Waiting for input: password");
    expect(answer).toContain("Password: ");
    expect(next).toContain("length 5\nAgain:");
    expect(asked).toHaveLength(1);
    await client.call("close_session", { session_id: id, force: true });
  });

  test.each([
    ["a client that shows no links", { elicitation: { form: {} }, does: type }],
    ["a token to view", { token: "eve:view", does: type }],
  ] as const)("%s is not asked", async (_, person) => {
    const { client: agent } = await asking(era, { elicitation: { form: {} }, does: type });
    const started = await agent.call("exec_command", start);
    const id = Number(/session ID (\d+)/.exec(started)?.[1]);
    const { client, asked, linked } = await asking(era, person);

    const answer = await client.call("wait_for", { session_ids: [id] });

    expect(answer).toMatch(/^Wall time/);
    expect([asked, linked]).toEqual([[], []]);
    await agent.call("close_session", { session_id: id, force: true });
  });
});
