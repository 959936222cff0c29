#!/usr/bin/env bash
# Fetches real servers from Debian's suites, without root and without touching this machine's packages:
#
#   compat-tests/fetch-servers.sh DIRECTORY [redis-6.0 redis-7.0 redis-8.0 redis-8.6 valkey-8.1 valkey-9.1]
#   mvn verify -Dpenstock.servers=DIRECTORY        (as an absolute path)
#
# Each becomes DIRECTORY/NAME with a launcher DIRECTORY/NAME/server that takes the server's own options. The packages come
# from the Debian mirror that this machine's apt uses already, or from that of PENSTOCK_DEBIAN_MIRROR. redis-8.6 and
# valkey-9.1 live in suites that move on: what was really found is printed, and without them the script still succeeds.
# Any other that is missing makes it fail.
# Needs Debian's apt-get and dpkg-deb on amd64.
set -euo pipefail

fail() {
  echo "fetch-servers: $*" >&2
  exit 1
}

[ $# -ge 1 ] || fail "the first argument must be the directory to put the servers into"
mkdir -p "$1"
target=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- redis-6.0 redis-7.0 redis-8.0 valkey-8.1 redis-8.6 valkey-9.1
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || fail "apt-get and dpkg-deb must be there"

# The first source whose path is that of the main archive: not security, not somebody else's packages.
find_mirror() {
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null |
    awk '/^[[:space:]]*#/ { next }
         { for (i = 1; i <= NF; i++) if ($i ~ /^https?:.*\/debian\/?$/) { print $i; exit } }' || true
}
mirror=${PENSTOCK_DEBIAN_MIRROR:-$(find_mirror)}
[ -n "$mirror" ] || fail "no Debian mirror is among this machine's apt sources; set PENSTOCK_DEBIAN_MIRROR to the URL of one"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keyring" ] || fail "the package debian-archive-keyring must be installed"

# The parts of a suite's server: the package with the executable, and the libraries that it loads.
describe() {
  suites='' moving=no
  libraries='libc6 libgcc-s1 libstdc++6 libatomic1 libjemalloc2 liblzf1 libsystemd0'
  local newer='libssl3t64 libzstd1 zlib1g'
  local older='liblzma5 liblz4-1 libzstd1 libgcrypt20 libgpg-error0'
  case $1 in
    redis-6.0) suites=bullseye package=redis-tools libraries+=" $older libssl1.1 liblua5.1-0 lua-bitop lua-cjson" ;;
    redis-7.0) suites=bookworm package=redis-tools libraries+=" $older libssl3 libcap2" ;;
    redis-8.0) suites=trixie package=redis-tools libraries+=" $newer libcap2" ;;
    valkey-8.1) suites=trixie package=valkey-tools libraries+=" $newer libcap2" ;;
    redis-8.6) moving=yes suites='sid experimental' package=redis-tools/experimental libraries+=" $newer" ;;
    valkey-9.1) moving=yes suites=sid package=valkey-tools libraries+=" $newer" ;;
    *) fail "$1 is no server; choose among redis-6.0 redis-7.0 redis-8.0 redis-8.6 valkey-8.1 valkey-9.1" ;;
  esac
}

# apt-get with a state of its own, so that it knows these suites and nothing of the machine.
own_apt() {
  apt-get -qq -o "Dir::State=$scratch" -o "Dir::State::status=$scratch/status" -o "Dir::Cache=$scratch/cache" \
    -o "Dir::Etc::SourceList=$scratch/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Acquire::Languages=none -o Acquire::Retries=2 -o APT::Sandbox::User="$(id -un)" "$@"
}

write_launcher() { # KIND ROOT
  local root=$2 binary loader
  # The tools package has the server under another name: it is one executable that looks at how it was called.
  binary=$root/usr/bin/$1-server
  ln -sf "$1-check-rdb" "$binary"
  loader=$(find "$root" -name 'ld-2.*.so' -o -name 'ld-linux-x86-64.so.2' | sort | head -n 1)
  [ -x "$loader" ] || { echo "no dynamic loader in $root" >&2; return 1; }
  {
    echo '#!/bin/sh'
    echo 'here=$(cd "$(dirname "$0")" && pwd)'
    echo 'LUA_PATH= LUA_CPATH="$here/usr/lib/x86_64-linux-gnu/lua/5.1/?.so"'
    echo 'export LUA_PATH LUA_CPATH'
    echo "exec \"\$here${loader#"$root"}\" --library-path \"\$here/lib/x86_64-linux-gnu:\$here/usr/lib/x86_64-linux-gnu\" \\"
    echo "  \"\$here/usr/bin/$1-server\" \"\$@\""
  } > "$root/server"
  chmod +x "$root/server"
}

fetch() { # NAME, described; runs in a subshell
  local name=$1 suite archive
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  mkdir -p "$scratch/lists/partial" "$scratch/cache/archives/partial" "$scratch/archives" "$scratch/root"
  : > "$scratch/status"
  for suite in $suites; do
    echo "deb [arch=amd64 signed-by=$keyring] $mirror $suite main"
  done > "$scratch/sources.list"
  own_apt update
  # shellcheck disable=SC2086
  (cd "$scratch/archives" && own_apt download "$package" $libraries)
  for archive in "$scratch"/archives/*.deb; do
    dpkg-deb --extract "$archive" "$scratch/root"
  done
  write_launcher "${name%%-*}" "$scratch/root"
  "$scratch/root/server" --version > /dev/null
  chmod 755 "$scratch/root"
  mv "$scratch/root" "$target/$name"
}

missing=0
for name in "$@"; do
  describe "$name"
  if [ ! -x "$target/$name/server" ]; then
    # Not as a condition: bash would go on after a failure inside.
    set +e
    (set -e; fetch "$name")
    status=$?
    set -e
    if [ "$status" -ne 0 ] && [ "$moving" = yes ]; then
      echo "$name: not found now, going on without it" >&2
      continue
    elif [ "$status" -ne 0 ]; then
      echo "$name: could not be fetched" >&2
      missing=1
      continue
    fi
  fi
  echo "$name: $("$target/$name/server" --version)"
done
exit "$missing"
