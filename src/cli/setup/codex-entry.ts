/** What Codex needs beyond a command. Its keys were tried with Codex 0.166 (`codex exec --strict-config`). */
import type { TomlEntry } from "./edit-toml.ts";

/** In seconds. A wait of an hour is rare, and a call that takes longer is continued by the next one. */
const TOOL_TIMEOUT_SECONDS = 3_600;
/** A minute less, so that limpet answers first. */
const MAX_WAIT_SECONDS = 3_540;

/** Codex passes on HOME, LANG, PATH, SHELL, TERM, TMPDIR, TZ, USER and the certificates. Those not set are ignored. */
const ENV_VARS: readonly string[] = [
  ...["LIMPET_HOME", "LIMPET_TOOLS", "LIMPET_CALLER"],
  ...["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"],
  ...["LC_CTYPE", "COLORTERM", "EDITOR", "VISUAL"],
  ...["VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "PYENV_ROOT", "NVM_DIR", "NVM_BIN"],
  ...["JAVA_HOME", "GOPATH", "CARGO_HOME", "RUSTUP_HOME", "ANDROID_HOME"],
  ...["SSH_AUTH_SOCK", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST", "KUBECONFIG"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
];

export function codexEntry({
  command,
  args,
}: {
  readonly command: string;
  readonly args: readonly string[];
}): TomlEntry {
  return {
    command,
    args: [...args, "--max-wait", String(MAX_WAIT_SECONDS)],
    tool_timeout_sec: TOOL_TIMEOUT_SECONDS,
    env_vars: ENV_VARS,
    default_tools_approval_mode: "approve",
  };
}

export function codexNotes(): readonly string[] {
  return [
    `tool_timeout_sec lets a call wait for up to an hour. Codex gives up after 300 s otherwise.`,
    `--max-wait makes limpet answer a minute before that. Change both together.`,
    `env_vars names the variables that programs in your terminals get from Codex. It passes on few others: add yours.`,
    'default_tools_approval_mode "approve" lets the agent use terminals without asking you, outside of the sandbox of' +
      ' Codex. Without it, "codex exec" refuses every tool that changes something. Use "prompt" to be asked each time.',
  ];
}
