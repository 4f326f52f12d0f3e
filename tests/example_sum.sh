#!/bin/bash
# example_sum.sh - examples/sum.c prints what examples/sum.expected says.
set -euo pipefail

diff <("$BUILD_DIR/examples/example_sum") "$SOURCE_DIR/examples/sum.expected"
