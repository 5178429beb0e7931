import { expect, test } from "vitest";
import { mergeLoginEnv, selectEnv } from "./select-env.ts";

const ALL = {
  PATH: "/bin",
  FOO: "bar",
  DOCKER_HOST: "unix:///x",
  GITHUB_TOKEN: "ghp_x",
  NPM_TOKEN: "npm_x",
  TERM: "dumb",
  TMUX: "/tmp/tmux",
  npm_config_prefix: "/x",
  EMPTY: "",
  GONE: undefined,
};

test("a person's programs get everything that does not describe the person's terminal", () => {
  expect(selectEnv(ALL, { for: "person" })).toEqual({
    env: {
      PATH: "/bin",
      FOO: "bar",
      DOCKER_HOST: "unix:///x",
      GITHUB_TOKEN: "ghp_x",
      NPM_TOKEN: "npm_x",
      npm_config_prefix: "/x",
      EMPTY: "",
    },
    withheld: [],
  });
});

test("an agent's programs get everything but what looks like a secret, whose names are returned", () => {
  expect(selectEnv(ALL, { for: "agent" })).toEqual({
    env: { PATH: "/bin", FOO: "bar", DOCKER_HOST: "unix:///x", EMPTY: "" },
    withheld: ["GITHUB_TOKEN", "NPM_TOKEN"],
  });
});

test("the rules pass on, withhold and set variables", () => {
  const rules = { pass: ["GITHUB_*"], withhold: ["F*O"], set: { NPM_TOKEN: "other", MORE: "1" } };

  expect(selectEnv(ALL, { for: "agent", rules })).toEqual({
    env: { PATH: "/bin", DOCKER_HOST: "unix:///x", GITHUB_TOKEN: "ghp_x", EMPTY: "", NPM_TOKEN: "other", MORE: "1" },
    withheld: ["FOO"],
  });
});

test("a pattern matches the whole name", () => {
  const rules = { withhold: ["A*B*C", "X*X"] };
  const all = { AxBxC: "1", AxxC: "1", ABC: "1", xABC: "1", X: "1", XX: "1" };

  expect(selectEnv(all, { for: "agent", rules }).withheld).toEqual(["ABC", "AxBxC", "XX"]);
});

test("the caller's values win over those of a login shell, and PATH has the directories of both", () => {
  const own = { PATH: "/venv/bin:/usr/bin", LANG: "C" };
  const login = { PATH: "/usr/bin:/home/me/bin:", LANG: "de", JAVA_HOME: "/java" };

  expect(mergeLoginEnv(own, login)).toEqual({ PATH: "/venv/bin:/usr/bin:/home/me/bin", LANG: "C", JAVA_HOME: "/java" });
});
