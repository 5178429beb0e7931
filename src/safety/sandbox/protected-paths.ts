/** Pure: what no program in a sandbox can read. Paths in the home directory are relative. */

/** Credentials, keys and the state of browsers and agents. */
const IN_HOME = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".config/gcloud",
  ".config/gh",
  ".config/hub",
  ".config/rclone",
  ".config/op",
  ".config/sops",
  ".config/git/credentials",
  ".config/containers/auth.json",
  ".config/configstore",
  ".password-store",
  ".local/share/keyrings",
  ".local/share/kwalletd",
  ".git-credentials",
  ".netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".gem/credentials",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".terraform.d",
  ".terraformrc",
  ".vault-token",
  ".databrickscfg",
  ".snowsql",
  ".s3cfg",
  ".boto",
  ".my.cnf",
  ".pgpass",
  ".mozilla",
  ".thunderbird",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
  ".config/opencode",
  ".local/share/opencode",
  ".config/limpet",
];

/**
 * Devices are granted one by one: through others a program reads disks, keyboards and other terminals. What systems
 * mount for their services is secret.
 */
const ELSEWHERE = ["/dev", "/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/gshadow-", "/run/secrets"];

export interface ProtectedPathsOptions {
  readonly home: string;
  /** The directories of limpet itself, such as the host's state and its socket. */
  readonly own: readonly string[];
}

export function protectedPaths({ home, own }: ProtectedPathsOptions): readonly string[] {
  return [...IN_HOME.map((path) => `${home}/${path}`), ...ELSEWHERE, ...own];
}
