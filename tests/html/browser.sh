#!/bin/sh
# The page of `--format html` in a real browser: opens, filters, steps by keyboard, no errors on the
# console, nothing hostile runs. Needs chromium (Debian: apt-get install chromium); skipped without.
#
#   tests/html/browser.sh [FOLDER]     with a folder, screenshots go there, light and dark
set -eu
cd "$(dirname "$0")/../.."

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "skipped: no chromium; install it to test the page in a browser"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo run --quiet -p caulk-report --example sample -- html > "$work/page.html"
{ cat "$work/page.html"; echo "<script>"; cat tests/html/driver.js; echo "</script>"; } > "$work/test.html"

# Without its sandbox, which containers and root do not allow; it opens only our own file.
open_page() {
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
        --enable-logging=stderr --log-level=0 --virtual-time-budget=5000 "$@" 2>> "$work/log"
}

open_page --dump-dom "file://$work/test.html" > "$work/dom.html"
outcome=$(grep -o 'data-outcome="[^"]*"' "$work/dom.html" | head -n 1)
if grep "CONSOLE" "$work/log"; then
    echo "failed: messages on the console, see above"
    exit 1
fi
if [ "$outcome" != 'data-outcome="passed"' ]; then
    echo "failed: ${outcome:-the page did not run}"
    exit 1
fi

if [ $# -gt 0 ]; then
    mkdir -p "$1"
    open_page --window-size=1400,1000 --screenshot="$1/light.png" "file://$work/page.html"
    open_page --window-size=1400,1000 --force-dark-mode --blink-settings=preferredColorScheme=0 \
        --screenshot="$1/dark.png" "file://$work/page.html"
    open_page --window-size=600,1200 --screenshot="$1/narrow.png" "file://$work/page.html"
fi
echo "passed: the page in $("$browser" --version)"
