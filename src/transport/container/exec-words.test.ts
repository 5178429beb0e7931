import { expect, test } from "vitest";
import { execWords } from "./exec-words.ts";

const started = { program: "sh", args: ["-c", "echo $X"], cwd: "/work", tty: true };

test("values stay out of the arguments, which every user can read", () => {
  const env = { TOKEN: "secret", LIMPET_SESSION_MARK: "abc", LIMPET_HOME: "/here" };

  const { argv, env: toolEnv } = execWords({ engine: "docker", name: "pg" }, { ...started, env }, { PATH: "/bin" });

  const variables = ["-e", "TOKEN", "-e", "LIMPET_SESSION_MARK=abc"];
  const keys = ["--detach-keys", expect.stringMatching(/^ctrl-\^,/)];
  expect(argv).toEqual(["docker", "exec", "-it", ...keys, "-w", "/work", ...variables, "pg", "sh", "-c", "echo $X"]);
  expect(toolEnv).toEqual({ TOKEN: "secret", PATH: "/bin" });
});

test("a variable of the tool keeps its value for the tool", () => {
  const env = { PATH: "/opt/bin" };

  const { argv, env: toolEnv } = execWords(
    { engine: "podman", name: "pg" },
    { ...started, tty: false, env },
    { PATH: "/bin" },
  );

  expect(argv.slice(0, 7)).toEqual(["podman", "exec", "-i", "-w", "/work", "-e", "PATH=/opt/bin"]);
  expect(toolEnv).toEqual({ PATH: "/bin" });
});
