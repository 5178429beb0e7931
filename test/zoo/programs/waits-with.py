"""Waits for lines of its terminal in the call that its argument names."""
import asyncio
import os
import select
import sys

how = sys.argv[1]


def take():
    line = os.read(0, 4096).decode().strip()
    print("got", line, flush=True)


print("ready", flush=True)
if how == "select":
    while select.select([0], [], []):
        take()
elif how == "poll":
    poll = select.poll()
    poll.register(0, select.POLLIN)
    while poll.poll():
        take()
elif how == "epoll":
    epoll = select.epoll()
    epoll.register(0, select.EPOLLIN)
    while epoll.poll():
        take()
elif how == "ticks":
    while True:
        if select.select([0], [], [], 0.5)[0]:
            take()
        print("tick", flush=True)
else:
    loop = asyncio.new_event_loop()
    loop.add_reader(0, take)
    loop.run_forever()
