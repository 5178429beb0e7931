/** `npm run numbers`: writes measured numbers into the documents. */
import { writeNumbers } from "./docs/numbers.mjs";

writeNumbers();
