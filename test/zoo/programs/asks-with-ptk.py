"""Asks with prompt_toolkit, and works silently between its questions, in and out of its event loop."""
import asyncio
import time

from prompt_toolkit import PromptSession
from prompt_toolkit.shortcuts import confirm


async def main():
    session = PromptSession()
    name = await session.prompt_async("name: ")
    await asyncio.sleep(0.8)
    print("hello", name)
    time.sleep(0.5)
    secret = await session.prompt_async("secret: ", is_password=True)
    print(len(secret), "letters")


asyncio.run(main())
time.sleep(0.5)
confirm("sure?")
print("done")
