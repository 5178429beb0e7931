"""Prints 20,000 lines of a service log with one error in the middle."""

import sys


def main():
    for i in range(20_000):
        second = i // 4
        stamp = f"2026-03-01T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}.{i % 4 * 250:03d}Z"
        if i == 10_240:
            print(f"{stamp} ERROR [ingest] batch {i}: connection to storage lost: ECONNRESET after 3 retries")
        elif i % 1_000 == 500:
            print(f"{stamp} INFO  [ingest] checkpoint written to segment-{i // 1000:04d}, {i * 37 % 911} ms")
        else:
            print(f"{stamp} INFO  [ingest] batch {i}: stored, queue empty")
    sys.stdout.flush()


main()
