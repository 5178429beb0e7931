/** What the client of a request can ask a person. */
import type { Server, ServerContext } from "@modelcontextprotocol/server";

export type McpRequest = ServerContext["mcpReq"];
type Capabilities = NonNullable<ReturnType<Server["getClientCapabilities"]>>;

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

export interface ClientQuestions {
  /** In the protocol of 2026, a call is answered with the question, and the client sends it again with the answer. */
  readonly isModern: boolean;
  /** It can ask with a form. */
  readonly hasForms: boolean;
  /** It can ask a person to open a link. */
  readonly hasLinks: boolean;
}

export function questionsOf(server: Server, request: McpRequest): ClientQuestions {
  const modern = (request.envelope as { readonly [CAPABILITIES]?: Capabilities } | undefined)?.[CAPABILITIES];
  const { elicitation } = modern ?? server.getClientCapabilities() ?? {};
  return {
    isModern: modern !== undefined,
    // A client that names no kind of question means forms.
    hasForms: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    hasLinks: elicitation?.url !== undefined,
  };
}
