/** An agent on OpenAI's Responses API. For a real model: `const client = new OpenAI()` from the package `openai`. */
import { createOpenAiTools } from "limpet/openai";
import { client } from "./stand-ins/openai.mjs";

const { tools, handleCalls, close } = createOpenAiTools();
const input = [{ role: "user", content: "What is 2 to the power of 100?" }];
while (input.at(-1).role !== "assistant") {
  const { output } = await client.responses.create({ model: "scripted", input, tools });
  input.push(...output, ...(await handleCalls(output)));
}
console.log(input.at(-1).content[0].text);
await close();
