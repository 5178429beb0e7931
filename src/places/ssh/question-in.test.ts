import { expect, test } from "vitest";
import { questionIn } from "./question-in.ts";

test.each([
  ["root@h: Permission denied (publickey,password,keyboard-interactive).", "login"],
  ["root@h: Permission denied (publickey).", "login"],
  ["Host key verification failed.", "host key"],
  ["Connection closed by remote host | Host key verification failed.", "host key"],
])("ssh would have asked: %s", (words, question) => {
  expect(questionIn(words)).toBe(question);
});

test.each([
  "ssh: connect to host h port 22: Connection refused",
  "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @ | Host key verification failed.",
  "@ WARNING: REVOKED HOST KEY DETECTED! @ | Host key verification failed.",
  "No ED25519 host key is known for h and you have requested strict checking. | Host key verification failed.",
  "bash: /etc/x: Permission denied",
  "root@h: Permission denied (gssapi-with-mic).",
])("an answer would not help: %s", (words) => {
  expect(questionIn(words)).toBeUndefined();
});
