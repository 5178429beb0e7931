/** A prompt without echo, in words that do not give it away. */
import { needs } from "../verdicts.mjs";

const PROMPT = "bash -c 'read -r -s -p \"Say it: \" x; echo; sleep 30'";

export const password = {
  name: "password",
  rounds: 1,
  isSideBySide: true,
  metrics: {
    known: {
      title: "a password prompt is recognised",
      better: "more",
      words: ["no", "as some input", "yes"],
      isExact: true,
    },
  },
  async measure({ peer }) {
    needs(peer, "open");
    const { id, text } = await peer.open(PROMPT);
    const said = text.replaceAll("Say it", "").replaceAll("read -r -s", "");
    const known = /password|without echo|no echo|hidden/i.test(said)
      ? 2
      : /wait\w* for (?:\w+ )?input/i.test(said)
        ? 1
        : 0;
    await peer.close?.(id);
    return { known };
  },
};
