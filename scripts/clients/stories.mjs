/**
 * What the model does in each test, and what it must receive. A story yields tool calls and returns nothing; a claim
 * that does not hold ends it.
 */

const ASKING = "printf 'name? '; read name; echo \"hello $name\"; sleep 600";
const PNG = "iVBORw0KGgo";

/** All nine tools, and a picture. `hold` is called with each claim. */
export function everyTool(hold) {
  return async function* story() {
    const ran = yield call("run", { command: "cd deep && export MARK=kept && echo $((40 + 2))" });
    hold("run gives exit code, output and directory", ran, /\b42\b/, /code 0/, /\/deep\b/);

    const started = yield call("exec_command", { cmd: ASKING, name: "asking" });
    hold("exec_command returns when the program asks", started, /name\?/, /waiting for input|waits for/i);
    const session_id = sessionIn(started);

    const typed = yield call("write_stdin", { session_id, chars: "bob\n", until: "hello" });
    hold("write_stdin gives what the program answers", typed, /hello bob/);

    const shown = yield call("read_screen", { session_id });
    hold("read_screen gives the screen as text", shown, /name\? bob/, /hello bob/);

    const drawn = yield call("read_screen", { session_id, format: "png" });
    const pictures = drawn.pictures.map((picture) => String(picture).slice(0, PNG.length));
    hold("the model sees a picture of the screen", { ...drawn, text: pictures.join() }, new RegExp(`^${PNG}$`));

    const read = yield call("read_output", { session_id, grep: "hello" });
    hold("read_output finds a line again", read, /hello bob/);

    const resized = yield call("resize_session", { session_id, cols: 101, rows: 31 });
    hold("resize_session says the new size", resized, /101/, /31/);

    const quick = yield call("exec_command", { cmd: "sleep 1; echo bye; exit 3", login: false, yield_time_ms: 250 });
    const ended = yield call("wait_for", { session_ids: [sessionIn(quick)] });
    hold("wait_for waits for the end", ended, /bye/, /code 3/);

    const listed = yield call("list_sessions");
    hold("list_sessions shows what runs", listed, /asking/);

    const closed = yield call("close_session", { session_id });
    hold("close_session ends the program", closed, /closed|ended/i);

    const again = yield call("run", { command: "echo $MARK in $PWD" });
    hold("the shell keeps variables and directory", again, /kept in \S*\/deep/);
  };
}

/** One call that takes longer than many clients wait by default. */
export function longWait(hold, seconds) {
  return async function* story() {
    const started = yield call("exec_command", {
      cmd: `sleep ${seconds}; echo woke up`,
      login: false,
      yield_time_ms: 250,
    });
    const waited = yield call("wait_for", { session_ids: [sessionIn(started)] });
    hold(`one call waits for ${seconds} s, and the client does not give up`, waited, /woke up/, /code 0/);
  };
}

/** The model has worked in a shell, then its client is killed while the model thinks. */
export function beforeKill(onThinking) {
  return async function* story() {
    yield call("run", { command: "cd deep && MARK=before-the-kill && echo ready" });
    yield call("exec_command", { cmd: "echo one; sleep 600", name: "server", login: false, until: "one" });
    onThinking();
    yield undefined;
  };
}

/** The same conversation in a new process of the client. */
export function afterKill(hold) {
  return async function* story() {
    const ran = yield call("run", { command: "echo $MARK in $PWD" });
    hold("a resumed conversation goes on in its shell", ran, /before-the-kill in \S*\/deep/);

    const polled = yield call("wait_for", { session_ids: ["server"], events: ["quiet"], quiet_ms: 100 });
    hold("its programs still run, and what it has read is not given again", polled, /running/, /^(?![\s\S]*\bone\b)/);
  };
}

function call(name, args = {}) {
  return { call: name, args };
}

function sessionIn({ text }) {
  const [, id] = /session (?:id|ID) (\d+)/.exec(text) ?? [];
  if (id === undefined) throw new Error(`There is no session id in ${JSON.stringify(text)}`);
  return Number(id);
}
