#!/bin/sh
# Checks report pages in a real browser: .ci/accessibility/run.sh PAGE...
# Needs node with npm and a Chromium or Chrome, or root on a Debian, to install them. Ends with 75 where there is none.
set -eu
here=$(dirname "$0")
browser() {
  command -v chromium || command -v chromium-browser || command -v google-chrome
}
if ! browser >/dev/null || ! command -v npm >/dev/null; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "there is no Chromium or no npm, and neither can be installed here" >&2
    exit 75
  fi
  { apt-get update && apt-get install -y --no-install-recommends chromium fonts-dejavu-core nodejs npm; } >/dev/null
fi
modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT
cp "$here/package.json" "$here/check.js" "$modules"
npm install --prefix "$modules" --no-audit --no-fund --silent
node "$modules/check.js" "$(browser)" "$@"
