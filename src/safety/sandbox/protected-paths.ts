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
  ".cache/limpet",
  ".local/state/limpet",
];

/**
 * Devices are granted one by one: through others a program reads disks, keyboards and other terminals. What systems
 * mount for their services is secret.
 */
const ELSEWHERE = [
  "/dev",
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/shadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/security/opasswd",
  "/etc/gshadow-",
  "/etc/ssh/ssh_host_rsa_key",
  "/etc/ssh/ssh_host_ecdsa_key",
  "/etc/ssh/ssh_host_ed25519_key",
  "/etc/ssl/private",
  "/etc/wireguard",
  "/etc/NetworkManager/system-connections",
  "/etc/kubernetes",
  "/etc/krb5.keytab",
  "/run/secrets",
  "/run/credentials",
];

export interface ProtectedPathsOptions {
  readonly homes: readonly string[];
  /** The directories of limpet itself, such as the host's state and its socket. */
  readonly own: readonly string[];
}

export function protectedPaths({ homes, own }: ProtectedPathsOptions): readonly string[] {
  return [...homes.flatMap((home) => IN_HOME.map((path) => `${home}/${path}`)), ...ELSEWHERE, ...own];
}
