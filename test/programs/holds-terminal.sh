#!/bin/bash
# Ends while something it started keeps the terminal and writes on. What ignores the hang-up hands that on to its children.
trap '' HUP
(while :; do echo later; sleep 0.05; done) &
echo started
exit 5
