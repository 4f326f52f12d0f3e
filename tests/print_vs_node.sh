#!/bin/bash
# print_vs_node.sh - number_print() of doubles against ECMAScript's own Number::toString.
set -euo pipefail

if ! command -v node >/dev/null; then
    echo "skipped: node is not installed"
    exit 77
fi
# shellcheck disable=SC2016  # the ${} are JavaScript's
"$BUILD_DIR/tests/print_numbers" | node -e '
const special = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"};
const view = new DataView(new ArrayBuffer(8));
let lines = 0, wrong = 0;
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
    const [bits, text] = line.split(" ");
    view.setBigUint64(0, BigInt("0x" + bits));
    const value = view.getFloat64(0);
    const right = Object.is(value, -0) ? "-0" : (special[String(value)] ?? String(value));
    lines++;
    if (text !== right && wrong++ < 10) {
        console.error(`${bits} prints as ${text}, node says ${right}`);
    }
}).on("close", () => {
    console.log(`${lines} doubles, ${wrong} differ from node ${process.version}`);
    process.exit(lines >= 600000 && wrong === 0 ? 0 : 1);
});'
