#!/bin/bash
# Ends while something it started keeps the terminal and writes on.
(trap '' HUP; while :; do echo later; sleep 0.05; done) &
echo started
exit 5
