/** How tokens of well-known services look. Pure data. */

/** A rule is tried only on texts that contain one of its words. */
export interface TokenRule {
  readonly name: string;
  readonly words: readonly string[];
  /** Masks the first group, or the whole match without one. */
  readonly pattern: RegExp;
}

/** Characters of base64 for URLs, of which most tokens are made. */
export const TOKEN_RULES: readonly TokenRule[] = [
  {
    name: "private key",
    words: ["PRIVATE KEY"],
    pattern:
      /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----([\s\S]*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/,
  },
  {
    name: "GitHub token",
    words: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    pattern: /\bgh[pousr]_[A-Za-z0-9]{36,}\b/,
  },
  { name: "GitHub fine-grained token", words: ["github_pat_"], pattern: /\bgithub_pat_[A-Za-z0-9_]{30,}\b/ },
  { name: "GitLab token", words: ["glpat-"], pattern: /\bglpat-[A-Za-z0-9_-]{20,}/ },
  { name: "AWS access key", words: ["AKIA", "ASIA"], pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/ },
  {
    name: "AWS secret key",
    words: ["ecret"],
    pattern:
      /(?:secret_?access_?key|SecretAccessKey|SECRET_ACCESS_KEY)["']?\s{0,4}[=:]\s{0,4}["']?([A-Za-z0-9/+]{40})\b/,
  },
  { name: "Google API key", words: ["AIza"], pattern: /\bAIza[A-Za-z0-9_-]{35}/ },
  { name: "Google client secret", words: ["GOCSPX-"], pattern: /\bGOCSPX-[A-Za-z0-9_-]{20,40}/ },
  { name: "Google access token", words: ["ya29."], pattern: /\bya29\.[A-Za-z0-9_-]{20,}/ },
  { name: "Slack token", words: ["xox"], pattern: /\bxox[abeprs]-(?:[A-Za-z0-9]{1,100}-){1,6}[A-Za-z0-9]{8,}/ },
  {
    name: "Slack webhook",
    words: ["hooks.slack.com"],
    pattern: /hooks\.slack\.com\/(?:services|workflows)\/([A-Za-z0-9+/]{20,100})/,
  },
  { name: "Stripe key", words: ["_live_", "_test_"], pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}\b/ },
  { name: "Stripe webhook secret", words: ["whsec_"], pattern: /\bwhsec_[A-Za-z0-9+/=]{24,100}/ },
  { name: "npm token", words: ["npm_"], pattern: /\bnpm_[A-Za-z0-9]{36}\b/ },
  {
    name: "npm registry password",
    words: ["_auth"],
    pattern: /_auth(?:Token)?\s?=\s?["']?([A-Za-z0-9+/=_.-]{16,})/,
  },
  { name: "PyPI token", words: ["pypi-"], pattern: /\bpypi-AgE[A-Za-z0-9_-]{50,}/ },
  { name: "Anthropic key", words: ["sk-ant-"], pattern: /\bsk-ant-[A-Za-z0-9_-]{20,}/ },
  {
    name: "OpenAI key",
    words: ["sk-"],
    pattern: /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,100}T3BlbkFJ[A-Za-z0-9_-]{20,100}/,
  },
  { name: "Hugging Face token", words: ["hf_"], pattern: /\bhf_[A-Za-z]{34}\b/ },
  { name: "SendGrid key", words: ["SG."], pattern: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/ },
  { name: "DigitalOcean token", words: ["_v1_"], pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/ },
  { name: "Shopify token", words: ["shp"], pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/ },
  { name: "Telegram bot token", words: [":AA"], pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/ },
  { name: "Azure storage key", words: ["AccountKey="], pattern: /AccountKey=([A-Za-z0-9+/]{86}==)/ },
  {
    name: "JSON web token",
    words: ["eyJ"],
    pattern: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}/,
  },
  {
    name: "authorization header",
    words: ["uthorization", "UTHORIZATION"],
    pattern:
      /[Aa](?:uthorization|UTHORIZATION)["']?\s?[:=]\s?["']?(?:[Bb]earer|[Bb]asic|[Tt]oken)\s([A-Za-z0-9._~+/=-]{12,})/,
  },
  {
    name: "password in a URL",
    words: ["://"],
    pattern: /\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,64}:([^\s/:@"'<>]{3,})@[A-Za-z0-9[]/,
  },
];
