/** Records a session as an asciicast file, and plays it at ten times its speed. */
import { rm } from "node:fs/promises";
import { open } from "limpet";
import { readRecording, replay } from "limpet/record";

const session = await open("for i in 3 2 1 liftoff; do echo $i; sleep 0.2; done");
const { file } = await session.record({ file: `${process.cwd()}/countdown.cast` });
await session.exited();
await session.close();
const { events } = await readRecording(file);
await replay(events(), { speed: 10, write: (text) => process.stdout.write(text) });
await rm(file);
