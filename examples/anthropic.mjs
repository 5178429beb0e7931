/** An agent on Anthropic's Messages API. For a real model: `const client = new Anthropic()` from `@anthropic-ai/sdk`. */
import { createAnthropicTools } from "limpet/anthropic";
import { client } from "./stand-ins/anthropic.mjs";

const { tools, handleCalls, close } = createAnthropicTools();
const messages = [{ role: "user", content: "How many lines has /etc/passwd?" }];
while (messages.at(-1).content.length > 0) {
  const { content } = await client.messages.create({ model: "scripted", max_tokens: 1024, messages, tools });
  messages.push({ role: "assistant", content }, { role: "user", content: await handleCalls(content) });
}
console.log(messages.at(-2).content[0].text);
await close();
