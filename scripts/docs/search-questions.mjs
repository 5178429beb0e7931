/** Asks the search of the site what new users ask. */
import "./assets/search.js";

/** Questions of a new user, and the page that must be among the first results. */
const FINDS = {
  "how do i answer a password": "faq.html#a-program-asks-for-my-sudo-password-how-do-i-answer-it",
  "sudo password": "faq.html#a-program-asks-for-my-sudo-password-how-do-i-answer-it",
  "timeout codex": "agent-codex.html",
  "where are recordings": "faq.html#where-are-recordings",
  "run in a container": "faq.html#how-do-i-run-a-build-in-a-container",
  "what did the agent run": "faq.html#how-do-i-see-what-an-agent-ran",
  "what did the agent do yesterday": "faq.html#how-do-i-see-what-an-agent-ran",
  "forbid a command": "faq.html#how-do-i-forbid-a-command",
  "how long are finished sessions kept": "faq.html#how-long-are-finished-sessions-kept",
  "another machine over ssh": "places.html",
  "stop an agent from typing": "faq.html#how-do-i-keep-an-agent-from-typing",
  uninstall: "faq.html#how-do-i-remove-limpet",
  "timeout gemini": "agent-gemini.html",
  "exit code": "cli.html#exit-codes",
  "limit memory": "safety.html#limits",
  "docker image": "image.html",
  "windows macos": "faq.html",
  "share link phone": "web.html#shares",
};
const MOST_READ = 5;

/** One result for each question; without a problem if its page is among the first ones. */
export function searchResults(index) {
  return Object.entries(FINDS).map(([question, page]) => {
    const found = globalThis.findSections(index, question).slice(0, MOST_READ);
    const isFound = found.some(({ address }) => address.startsWith(page));
    const problem = isFound ? undefined : `finds ${found.map(({ address }) => address).join(", ")}`;
    return { name: `the search finds ${page} for "${question}"`, problem };
  });
}
