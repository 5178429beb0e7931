import { setTimeout as sleep } from "node:timers/promises";
import prompts from "prompts";

const { name } = await prompts({ type: "text", name: "name", message: "Your name" });
await sleep(900);
const { secret } = await prompts({ type: "password", name: "secret", message: "Your secret" });
const { flower } = await prompts({
  type: "select",
  name: "flower",
  message: "Which flower",
  choices: [
    { title: "Rose", value: "rose" },
    { title: "Tulip", value: "tulip" },
  ],
});
console.log("done", name, secret, flower);
