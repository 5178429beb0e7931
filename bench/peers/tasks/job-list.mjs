/**
 * 20 typical jobs of an agent, in verbs that every contender translates into its own calls. A job returns whether its
 * goal is reached. `run` runs a command to its end; `open` starts a program that stays; `type` sends a line; `screen`
 * shows what a person would see, once it matches. Not everyone has a way to close a session. A terminal echoes commands,
 * so what a job looks for is not in its command.
 */
import { needs } from "../verdicts.mjs";

const CTRL_C = "\u0003";
const SQUARES = "awk 'BEGIN { for (i = 1; i <= 5000; i++) print i * i }'";
/** Some trim their lines. */
const PROMPT = ">>> ?$";
const THIRD_LINE = /^\s*3\s*$/m;

export const jobs = {
  "a short command": async ({ run }) => (await run("echo hi")).text.includes("hi"),
  "a command that fails, and its code": async ({ run }) => (await run("ls /nowhere; (exit 3)")).code === 3,
  "a directory": async ({ run }) => (await run("ls -la /usr")).text.includes("bin"),
  "a file": async ({ run }) => (await run("cat /etc/passwd")).text.includes("root:"),
  "repeated lines": async ({ run }) => (await run("yes same | head -500")).text.includes("same"),
  "the end of a long output": async ({ run }) => /\b25000000\b/.test((await run(SQUARES)).text),
  "one line of a long output": async ({ run }) =>
    (await run(`${SQUARES} | grep -n '^6250000$'`)).text.includes("2500:"),
  "both outputs of a program": async ({ run }) => {
    const { text } = await run("echo out; echo err >&2");
    return text.includes("out") && text.includes("err");
  },
  "characters of other alphabets": async ({ run }) => (await run("printf 'größe 雪 ✓\\n'")).text.includes("größe 雪 ✓"),
  "a program killed by a signal": async ({ run }) =>
    /137|SIGKILL|[Kk]illed/.test((await run("sh -c 'kill -9 $$'")).text),
  "a directory for two commands": async ({ run }) =>
    (await run("cd /usr && pwd")).text.includes("/usr") && (await run("cd /usr; ls -d bin")).text.includes("bin"),
  "a build that takes 2 s and fails": async ({ run }) => {
    const { text, code } = await run("echo compiling; sleep 2; echo 'error: no such name'; (exit 2)");
    return text.includes("no such name") && code === 2;
  },
  "three lines to Python": async (peer) => {
    needs(peer, "open");
    const { id } = await peer.open("python3 -q", { until: PROMPT });
    await peer.type(id, "x = 20", { until: PROMPT });
    await peer.type(id, "y = 22", { until: PROMPT });
    const text = await peer.type(id, "x + y", { until: "\\b42\\b" });
    await peer.close?.(id);
    return /\b42\b/.test(text);
  },
  "an answer to a question": async (peer) => {
    needs(peer, "open");
    const { id } = await peer.open("bash -c 'read -p \"Name? \" name; echo hello-$name; sleep 20'", { until: "Name" });
    const text = await peer.type(id, "Ann", { until: "hello-Ann" });
    await peer.close?.(id);
    return text.includes("hello-Ann");
  },
  "a password": async (peer) => {
    needs(peer, "open");
    const { id } = await peer.open("bash -c 'read -s -p \"Key: \" k; echo; echo length-${#k}; sleep 20'", {
      until: "Key",
    });
    const text = await peer.type(id, "abc", { until: "length-3" });
    await peer.close?.(id);
    return text.includes("length-3");
  },
  "a server: start, ask, stop": async (peer) => {
    needs(peer, "open");
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const { id } = await peer.open(`python3 -u -m http.server ${port} --bind 127.0.0.1`, { until: "Serving HTTP" });
    const get = `import urllib.request; print(urllib.request.urlopen("http://127.0.0.1:${port}").status)`;
    const { text } = await peer.run(`python3 -c '${get}'`);
    await peer.close?.(id);
    return text.includes("200");
  },
  "a loop that is interrupted": async (peer) => {
    needs(peer, "open");
    const loop =
      "bash -c 'trap \"echo got-$((40 + 2)); exit\" INT; echo ready-$((1 + 1)); while :; do sleep 0.1; done'";
    const { id } = await peer.open(loop, { until: "ready-2" });
    const text = await peer.type(id, CTRL_C, { until: "got-42" });
    await peer.close?.(id).catch(() => undefined);
    return text.includes("got-42");
  },
  "the end of a job in the background": async (peer) => {
    needs(peer, "open");
    const { id } = await peer.open("echo started; sleep 2; echo job-is-$((1 + 1))-done", { until: "started" });
    return (await peer.wait(id, "job-is-2-done", 10_000)).includes("job-is-2-done");
  },
  "two programs at once": async (peer) => {
    needs(peer, "open");
    const first = await peer.open("cat", { until: "" });
    const second = await peer.open("cat", { until: "" });
    const one = await peer.type(first.id, "to-one", { until: "to-one" });
    const two = await peer.type(second.id, "to-two", { until: "to-two" });
    await peer.close?.(first.id);
    await peer.close?.(second.id);
    return one.includes("to-one") && two.includes("to-two");
  },
  "a screen of a full-screen program": async (peer) => {
    needs(peer, "screen");
    const { id } = await peer.open("seq 1 500 | less -S", { until: "" });
    const text = await peer.screen(id, THIRD_LINE);
    await peer.close?.(id);
    return THIRD_LINE.test(text);
  },
};
