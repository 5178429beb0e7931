import { setTimeout as sleep } from "node:timers/promises";
import enquirer from "enquirer";

const { name } = await enquirer.prompt({ type: "input", name: "name", message: "Your name" });
await sleep(900);
const { flower } = await enquirer.prompt({
  type: "select",
  name: "flower",
  message: "Which flower",
  choices: ["rose", "tulip"],
});
console.log("done", name, flower);
