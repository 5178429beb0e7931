/** Says hello to the host of a directory, and prints what it is told. */
import { connect } from "node:net";

const [directory] = process.argv.slice(2);
const socket = connect(`${directory}/host.sock`);
let said = "";
const tell = (isClosed) => {
  console.log(JSON.stringify({ said, isClosed }));
  process.exit();
};
socket.write('{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":2,"version":"0"}}\n');
socket.on("error", () => undefined);
socket.on("data", (bytes) => {
  said += bytes;
  tell(false);
});
socket.on("close", () => tell(true));
