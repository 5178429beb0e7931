import { setTimeout as sleep } from "node:timers/promises";
import { confirm, input, select } from "@inquirer/prompts";

const name = await input({ message: "Your name" });
await sleep(900);
const flower = await select({
  message: "Which flower",
  choices: [
    { name: "Rose", value: "rose" },
    { name: "Tulip", value: "tulip" },
  ],
});
const isSure = await confirm({ message: "Really sure" });
console.log("done", name, flower, isSure);
