/** Pure: the variables by which programs find their proxy. */

/** Programs read these names in upper case, in lower case, or in both. */
const NAMES = ["http_proxy", "https_proxy", "all_proxy"];

export function proxyEnv(url: string): Readonly<Record<string, string>> {
  const both = (name: string, value: string): readonly (readonly [string, string])[] => [
    [name, value],
    [name.toUpperCase(), value],
  ];
  return {
    ...Object.fromEntries(NAMES.flatMap((name) => both(name, url))),
    // Nothing can be reached without the proxy.
    ...Object.fromEntries(both("no_proxy", "")),
    NODE_USE_ENV_PROXY: "1",
  };
}
