#!/bin/bash
# Ends while something it started keeps the terminal and writes on. That one says when it is safe from the hang-up.
trap 'echo started; exit 5' USR1
(trap '' HUP; kill -USR1 $$; while :; do echo later; sleep 0.05; done) &
while :; do wait; done
