"""Draws progress bars as tqdm does: one bar redrawn in place, then two nested ones, with a message in between."""

import sys
import time

GLYPHS = " ▏▎▍▌▋▊▉█"


def bar(name, done, total, width=30):
    filled = done * width * 8 // total
    cells = "█" * (filled // 8) + (GLYPHS[filled % 8] if filled % 8 else "")
    rate = 120 + done % 7 * 1.37
    left = (total - done) / rate
    return f"{name}: {100 * done // total:3d}%|{cells:<{width}}| {done}/{total} [00:{done / rate:05.2f}<00:{left:05.2f}, {rate:.2f}it/s]"


def main():
    out = sys.stdout
    for done in range(0, 401):
        out.write("\r" + bar("train", done, 400))
        out.flush()
        time.sleep(0.001)
    out.write("\n")
    for epoch in range(1, 6):
        for step in range(0, 61):
            out.write("\r" + bar("epochs", epoch - 1, 5) + "\n\r" + bar(f"epoch {epoch}", step, 60) + "\x1b[A")
            out.flush()
            time.sleep(0.001)
        if epoch == 3:
            out.write("\r\x1b[K" + "warning: loss is nan at epoch 3, step 41" + "\n\x1b[K")
    out.write("\r" + bar("epochs", 5, 5) + "\n\n")
    print("saved model to model.bin (accuracy 0.9312)")


main()
