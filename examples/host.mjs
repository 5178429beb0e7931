/** Sessions that outlive whoever started them: a host owns them, and clients come and go. */
import { connect } from "limpet";

const first = await connect();
const door = await first.open("read -rp 'Who is there? ' who; echo \"Hello, $who.\"", { shell: "bash", name: "door" });
console.log(`waits for a ${(await door.wait()).waitingFor}; now the first client leaves`);
await first.close();

const second = await connect();
const again = await second.session("door");
console.log((await again.send("Ada\n")).text); // Hello, Ada.
await again.close();
await second.close();
