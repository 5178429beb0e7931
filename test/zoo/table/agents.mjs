/** Agents' own terminal programs, with a stand-in for their model on the loopback address. */
const ANSWER = "in the garden";
const DRAWN = "Something runs and draws while it takes keys: only its silence shows that it is done.";

const agent = (name, { npm, ...entry }) => ({
  name,
  npm: [npm],
  isSlow: true,
  screen: true,
  size: { cols: 100, rows: 40 },
  with: "model",
  why: DRAWN,
  ...entry,
});

export const agents = [
  agent("claude", {
    npm: "@anthropic-ai/claude-code@2",
    run: "ANTHROPIC_BASE_URL=$MODEL_URL exec claude",
    env: {
      ANTHROPIC_API_KEY: "zoo-key-00000000000000000000",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
    },
    files: {
      ".claude.json": JSON.stringify({
        hasCompletedOnboarding: true,
        theme: "dark",
        customApiKeyResponses: { approved: ["00000000000000000000"], rejected: [] },
        projects: { $HOME: { hasTrustDialogAccepted: true } },
      }),
    },
    steps: [
      { shows: "❯.*shortcuts", waits: "key" },
      { types: "what grows?", shows: "what grows", waits: "key" },
      { types: "\r", shows: ANSWER, waits: "key" },
    ],
  }),
  agent("codex", {
    npm: "@openai/codex@0.166",
    run: "exec codex",
    answersQueries: true,
    files: {
      ".codex/config.toml": [
        'model = "zoo"',
        'model_provider = "zoo"',
        "check_for_update_on_startup = false",
        "[model_providers.zoo]",
        'name = "zoo"',
        'base_url = "$MODEL_URL/v1"',
        'wire_api = "responses"',
        '[projects."$HOME"]',
        'trust_level = "trusted"',
      ].join("\n"),
    },
    steps: [
      { shows: "Codex to do anything", waits: "key" },
      { types: "what grows?", shows: "what grows", waits: "key" },
      // It goes on starting behind its screen, in silence, and takes no question until then.
      { afterMs: 20_000, types: "\r", shows: ANSWER, waits: "key" },
    ],
  }),
  agent("codex signs in", {
    npm: "@openai/codex@0.166",
    run: "exec codex",
    answersQueries: true,
    steps: [
      { shows: "Sign in", waits: "key" },
      { types: "\x1b[B", shows: "Sign in", waits: "key" },
    ],
  }),
  agent("gemini", {
    npm: "@google/gemini-cli@0.61",
    run: "exec gemini",
    steps: [{ shows: "Gemini|authenticate|trust", waits: "key" }],
  }),
  agent("opencode", {
    npm: "opencode-ai@1.18",
    run: "exec opencode",
    steps: [
      { shows: "Ask anything", waits: "key" },
      { types: "what", shows: "what", waits: "key" },
    ],
  }),
  agent("qwen", {
    npm: "@qwen-code/qwen-code@0.24",
    run: "exec qwen",
    steps: [{ shows: "qwen|Qwen", waits: "key" }],
  }),
];
