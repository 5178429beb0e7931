/** What NATS refuses to a connection: which subjects it may neither publish nor subscribe to. */
import type { NatsConnection } from "@nats-io/transport-node";

/** Which of these subjects NATS refuses to let it publish to. */
export async function refusedToPublish(
  connection: NatsConnection,
  subjects: readonly string[],
): Promise<readonly string[]> {
  const refused = followRefusals(connection);
  for (const subject of subjects) connection.publish(subject, "{}");
  await connection.flush();
  await connection.flush();
  return subjects.filter((subject) => refused.has(subject));
}

export function followRefusals(connection: NatsConnection): ReadonlySet<string> {
  const refused = new Set<string>();
  void (async () => {
    for await (const status of connection.status())
      if (status.type === "error") refused.add(/to "([^"]+)"/.exec(status.error.message)?.[1] ?? status.error.message);
  })();
  return refused;
}

export async function refusedToSubscribe(
  connection: NatsConnection,
  subjects: readonly string[],
): Promise<readonly string[]> {
  const refused = new Set<string>();
  for (const subject of subjects)
    connection.subscribe(subject, { callback: (error) => void (error && refused.add(subject)) });
  await connection.flush();
  await connection.flush();
  return subjects.filter((subject) => refused.has(subject));
}
