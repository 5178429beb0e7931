/** Finds out from the output of ssh in batch mode what it would have asked a person. */

/** `login`: a password, a second factor, or the passphrase of a key. */
export type SshQuestion = "login" | "host key";

/** Cases in which ssh refuses without asking: a key that has changed or was revoked, or strict checking. */
const REFUSED_KEY = /HOST IDENTIFICATION HAS CHANGED|REVOKED HOST KEY|requested strict checking/;

/** Undefined if an answer would not help. `words`: the output of ssh. Pure. */
export function questionIn(words: string): SshQuestion | undefined {
  if (REFUSED_KEY.test(words)) return undefined;
  if (/Host key verification failed/.test(words)) return "host key";
  // "Permission denied (publickey)" may also mean that the key is encrypted.
  return /Permission denied \([^)]*(publickey|password|keyboard-interactive)/.test(words) ? "login" : undefined;
}
