/** Variables that name what they grant access to, not a secret of their own, or that programs cannot do without. */
const NOT_SECRET: ReadonlySet<string> = new Set(["SSH_AUTH_SOCK", "XAUTHORITY", "GPG_AGENT_INFO"]);
/** Whole words between underscores. */
const SECRET_WORD = /(^|_)(KEYS?|AUTH|COOKIES?|PASS|PAT|PSK|JWT|OTP|DSN)(_|$)/;
/** Anywhere in a name: PGPASSWORD and GITHUBTOKEN have no underscore. TOKENIZERS_PARALLELISM is not a token. */
const SECRET_PART = /SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|TOKENS?(_|\d|$)/;
/** A password in the address of a database or a server. */
const URL_WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;
/** Without its proxy a program reaches nothing. */
const PROXY = /(^|_)PROXY$/;

/** Whether a variable looks like a secret, by its name or as a URL with a password. Pure. */
export function looksSecret(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  if (NOT_SECRET.has(upper)) return false;
  if (SECRET_WORD.test(upper) || SECRET_PART.test(upper)) return true;
  return URL_WITH_PASSWORD.test(value) && !PROXY.test(upper);
}
