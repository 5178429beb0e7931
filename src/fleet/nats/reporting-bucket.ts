import type { Bucket } from "./bus.ts";

/** Wraps a bucket so that its errors are converted with `errorOf`. */
export function reportingBucket(bucket: Bucket, errorOf: (cause: unknown) => Error): Bucket {
  const told =
    <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await call(...args);
      } catch (error) {
        throw errorOf(error);
      }
    };
  return {
    get: told(bucket.get),
    all: told(bucket.all),
    match: told(bucket.match),
    replace: told(bucket.replace),
    delete: told(bucket.delete),
  };
}
