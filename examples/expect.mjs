/** Answers questions as expect does: wait for a pattern, reply, go on. */
import { open } from "limpet";

const answers = { name: "Ada", colour: "green" };
const wizard = await open("read -p 'Your name? ' n; read -p 'Your colour? ' c; echo $n: $c", { shell: "bash" });
for (;;) {
  const { match } = await wizard.wait({ until: /Your (\w+)\?/ });
  if (!match) break;
  await wizard.write(`${answers[match.captures[0]]}\n`);
}
console.log(await wizard.text());
await wizard.close();
