import { setTimeout as sleep } from "node:timers/promises";
import { confirm, select, spinner, text } from "@clack/prompts";

const name = await text({ message: "Your name" });
await sleep(700);
const flower = await select({
  message: "Which flower",
  options: [
    { label: "Rose", value: "rose" },
    { label: "Tulip", value: "tulip" },
  ],
});
const work = spinner();
work.start("Planting");
await sleep(1_500);
work.stop("Planted");
await confirm({ message: "Really sure" });
console.log("done", name, flower);
