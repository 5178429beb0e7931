/** Five sessions at the same time. A slow one does not hold up the others. */
import { open } from "limpet";

const answers = await Promise.all([1, 2, 3, 4, 5].map(square));
console.log(answers.join(" ")); // 1 4 9 16 25

async function square(number) {
  const python = await open({ program: "python3", args: ["-c", "print(int(input()) ** 2)"] });
  const { text } = await python.send(`${number}\n`);
  return text.trim();
}
