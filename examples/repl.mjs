/** Talks to a REPL: each line is sent when the prompt is there, and its answer is what comes before the next one. */
import { openSession } from "limpet/session";

// Node's REPL, since Node is surely here. It edits lines itself and colours them, so it is asked to be plain.
const session = await openSession({
  program: process.execPath,
  args: ["--interactive"],
  env: { PATH: process.env.PATH ?? "/usr/bin:/bin", TERM: "dumb", NODE_NO_READLINE: "1" },
});

try {
  let { next } = await untilPrompt(0);
  for (const line of ["const radius = 3", "Math.round(radius ** 2 * Math.PI)", "radius.toUpperCase()"]) {
    // The cursor of the last answer is where the next one begins: nothing is read twice, nothing is missed.
    await session.write(`${line}\n`);
    const answer = await untilPrompt(next);
    next = answer.next;
    console.log(`> ${line}\n${answer.text}`);
  }
} finally {
  await session.close();
}

async function untilPrompt(from) {
  const decoder = new TextDecoder();
  let text = "";
  // The signal ends the waiting, not the program: a REPL that hangs could still be looked at.
  for await (const page of session.output({ from, signal: AbortSignal.timeout(20_000) })) {
    text += decoder.decode(page.bytes, { stream: true });
    if (/^> $/m.test(text)) return { text: withoutEcho(text), next: page.next };
  }
  throw new Error(`The REPL ended: ${JSON.stringify(session.exit)}`);
}

/** The terminal shows what is typed, as it does to a person: the first line is ours, the last one the next prompt. */
function withoutEcho(text) {
  return text.split("\r\n").slice(1, -1).join("\n");
}
