import { officialClientClaims } from "../../support/official-client-claims.ts";
import { connectHttp } from "../../support/web/limpet-mcp-http.ts";

officialClientClaims(connectHttp);
