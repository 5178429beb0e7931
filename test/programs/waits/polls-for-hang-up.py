"""In raw mode, polls the terminal for a hang-up only: keys do not wake it."""
import select
import tty

tty.setraw(0)
poll = select.poll()
poll.register(0, 0)
print("ready", end="\r\n", flush=True)
poll.poll(60_000)
