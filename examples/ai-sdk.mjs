/** An agent on the Vercel AI SDK, which calls the tools itself. For a real model: `openai("gpt-5")` and the like. */
import { generateText, stepCountIs } from "ai";
import { createAiSdkTools } from "limpet/ai-sdk";
import { model } from "./stand-ins/ai-sdk.mjs";

const { tools, close } = createAiSdkTools();
const prompt = "Count to three, in a shell that stays open.";
const { text } = await generateText({ model, tools, prompt, stopWhen: stepCountIs(5) });
console.log(text);
await close();
