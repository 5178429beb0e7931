export { ShellError, type ShellErrorCode } from "./base/errors.ts";
