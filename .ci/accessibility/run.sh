#!/bin/sh
# Checks report pages in a real browser: .ci/accessibility/run.sh PAGE...
# Needs node with npm and a Chromium or Chrome, or root on a Debian, to install them. Ends with 75 where there is none.
set -eu
here=$(dirname "$0")
browser() {
  command -v chromium || command -v chromium-browser || command -v google-chrome
}
missing=
browser >/dev/null || missing="chromium fonts-dejavu-core"
command -v npm >/dev/null || missing="$missing nodejs npm"
if [ -n "$missing" ]; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "there is no Chromium or no npm, and neither can be installed here" >&2
    exit 75
  fi
  install() { apt-get -qq install -y -o DPkg::Lock::Timeout=300 --no-install-recommends "$@"; }
  # Unquoted: it is a list. Only what is missing, as other packagers' nodejs conflicts with Debian's npm.
  if ! { apt-get -qq update && install $missing; } >/dev/null; then
    echo "these could not be installed: $missing" >&2
    exit 75
  fi
fi
modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT
cp "$here/package.json" "$here/check.js" "$modules"
npm install --prefix "$modules" --no-audit --no-fund --silent
node "$modules/check.js" "$(browser)" "$@"
