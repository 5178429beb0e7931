/** Answers a password prompt. The kernel says that it is one: no pattern has to match "Password:". */
import { open } from "limpet";

const login = await open('read -rsp "Password: " word; echo; echo "Welcome."', { shell: "bash" });
const { waitingFor } = await login.wait();
if (waitingFor !== "password") throw new Error(`It waits for ${waitingFor}.`);

const { text } = await login.send(`${process.env.PASSWORD ?? "hunter2"}\n`);
console.log(text); // Welcome.
await login.close();
