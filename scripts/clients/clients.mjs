/** How each client is configured for a model on loopback, and started. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateContent } from "./dialects/generate-content.mjs";
import { messages } from "./dialects/messages.mjs";
import { responses } from "./dialects/responses.mjs";

const REQUIRED = ["-c", "mcp_servers.limpet.required=true"];

/**
 * `name`: in `clientInfo`. `env` and `configure` point the client to the model and switch off updates and telemetry.
 * `prompt` and `resume` are its arguments. `listed` matches the output of `list` if the client has started our server.
 */
export const clients = {
  codex: {
    name: "codex-mcp-client",
    dialect: responses,
    env: () => ({}),
    configure: ({ home }, url) =>
      write(
        join(home, ".codex/config.toml"),
        [
          "# mine",
          'model = "stub"',
          'model_provider = "stub"',
          "check_for_update_on_startup = false",
          "[analytics]",
          "enabled = false",
          "[model_providers.stub]",
          'name = "stub"',
          `base_url = "${url}/v1"`,
          'wire_api = "responses"',
        ].join("\n"),
      ),
    list: ["mcp", "list"],
    listed: /limpet\s+limpet\s+mcp --max-wait.*enabled/,
    // Codex gives a server one second to start unless it is required, and this machine may be busy.
    prompt: (text) => ["exec", ...REQUIRED, "--strict-config", "--skip-git-repo-check", text],
    resume: (text) => ["exec", ...REQUIRED, "resume", "--last", "--skip-git-repo-check", text],
  },
  claude: {
    name: "claude-code",
    dialect: messages,
    env: ({ home }, url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "stub",
      CLAUDE_CONFIG_DIR: join(home, "claude-config"),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_TELEMETRY: "1",
      // On a busy machine our server may take longer than Claude Code waits for it by default.
      MCP_CONNECTION_NONBLOCKING: "0",
      MCP_CONNECT_TIMEOUT_MS: "60000",
      MCP_TIMEOUT: "60000",
    }),
    configure: ({ home }) => write(join(home, "claude-config/.claude.json"), '{ "hasCompletedOnboarding": true }'),
    list: ["mcp", "list"],
    listed: /limpet: limpet mcp .*Connected/,
    prompt: (text) => ["-p", text, "--allowedTools", "mcp__limpet"],
    resume: (text) => ["--continue", "-p", text, "--allowedTools", "mcp__limpet"],
  },
  gemini: {
    name: "gemini-cli-mcp-client",
    dialect: generateContent,
    env: (_, url) => ({
      GEMINI_API_KEY: "stub",
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_CLI_NO_RELAUNCH: "true",
    }),
    configure: ({ home }) =>
      write(
        join(home, ".gemini/settings.json"),
        JSON.stringify({
          general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
          privacy: { usageStatisticsEnabled: false },
          security: { auth: { selectedType: "gemini-api-key" } },
          telemetry: { enabled: false },
        }),
      ),
    list: ["mcp", "list"],
    listed: /limpet: limpet mcp .*Connected/,
    // A model of this name needs no second model that chooses one.
    prompt: (text) => ["-m", "gemini-2.5-pro", "--approval-mode", "yolo", "-p", text],
    resume: (text) => ["-m", "gemini-2.5-pro", "--approval-mode", "yolo", "--resume", "latest", "-p", text],
  },
  opencode: {
    name: "opencode",
    dialect: messages,
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_SHARE: "1",
      OPENCODE_PURE: "1",
    }),
    configure: ({ home }, url) => {
      const modalities = { input: ["text", "image"], output: ["text"] };
      const model = {
        name: "stub",
        attachment: true,
        tool_call: true,
        modalities,
        limit: { context: 1e6, output: 1e4 },
      };
      const options = { baseURL: `${url}/v1`, apiKey: "stub" };
      const stub = { npm: "@ai-sdk/anthropic", name: "stub", options, models: { stub: model } };
      const config = { model: "stub/stub", small_model: "stub/stub", autoupdate: false, share: "disabled" };
      return write(
        join(home, ".config/opencode/opencode.json"),
        JSON.stringify({ ...config, provider: { stub } }, undefined, 2),
      );
    },
    list: ["mcp", "list"],
    listed: /limpet.*connected/,
    prompt: (text) => ["run", text],
    resume: (text) => ["run", "--continue", text],
  },
};

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
