/** What ssh would have asked a person, if it had been allowed to. */

/** `login`: a password, a second factor, or the passphrase of a key. */
export type SshQuestion = "login" | "host key";

/** ssh decides these without asking anybody: a key that has changed, was revoked, or may not be asked for. */
const REFUSED_KEY = /HOST IDENTIFICATION HAS CHANGED|REVOKED HOST KEY|requested strict checking/;

/** Pure. Undefined if an answer would not help. `words`: what ssh printed in batch mode. */
export function questionIn(words: string): SshQuestion | undefined {
  if (REFUSED_KEY.test(words)) return undefined;
  if (/Host key verification failed/.test(words)) return "host key";
  // "Permission denied (publickey)" may also mean a key that is encrypted.
  return /Permission denied \([^)]*(publickey|password|keyboard-interactive)/.test(words) ? "login" : undefined;
}
