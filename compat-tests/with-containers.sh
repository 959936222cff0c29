#!/usr/bin/env bash
# Runs a command where Testcontainers finds a container engine:
#
#   compat-tests/with-containers.sh SERVERS COMMAND [ARGUMENT...]
#   compat-tests/with-containers.sh DIR mvn verify -Dpenstock.servers=containers:redis:8.0,valkey/valkey:8.1
#
# An engine that answers already is used as it is, with the images that it has or pulls. Where there is none, Podman is
# run for as long as the command takes, with images redis:X and valkey/valkey:X made of the servers in SERVERS, where
# fetch-servers.sh put them; no registry is asked for anything. It has storage, settings and networks of its own in a
# temporary directory, and nothing of it is left in the end, except the package podman if that had to be installed.
# Needs python3; without an engine also root, Linux, and apt-get if podman is not there.
set -euo pipefail

fail() {
  echo "with-containers: $*" >&2
  exit 1
}

# Exit code 75 says that there is no engine and none can be run here; the command was not run then.
unavailable() {
  echo "with-containers: $*" >&2
  exit 75
}

[ $# -ge 2 ] || fail "needs the directory of servers and a command"
[ -d "$1" ] || fail "the first argument must be a directory that fetch-servers.sh filled, not $1"
servers=$(cd "$1" && pwd)
shift

# Asks the sockets that Testcontainers would find; a `docker` on the PATH says nothing. DOCKER_HOST elsewhere is believed.
engine_answers() {
  case ${DOCKER_HOST-} in
    '') set -- "${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/docker.sock" "$HOME/.docker/run/docker.sock" /var/run/docker.sock ;;
    unix://*) set -- "${DOCKER_HOST#unix://}" ;;
    *) return 0 ;;
  esac
  python3 - "$@" <<'PYTHON'
import socket
import sys

for path in sys.argv[1:]:
    with socket.socket(socket.AF_UNIX) as engine:
        engine.settimeout(10)
        try:
            engine.connect(path)
            engine.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
            if b" 200 " in engine.recv(64):
                sys.exit(0)
        except OSError:
            pass
sys.exit(1)
PYTHON
}

if engine_answers; then
  echo "with-containers: using the engine that answers" >&2
  exec "$@"
fi

[ "$(id -u)" -eq 0 ] || unavailable "no container engine answers, and only root can run one: start Docker, or run this as root"
if ! command -v podman >/dev/null; then
  command -v apt-get >/dev/null || unavailable "no container engine answers, and podman is not installed"
  echo "with-containers: installing podman" >&2
  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
    podman runc netavark aardvark-dns iptables >/dev/null; } || unavailable "podman cannot be installed"
fi

scratch=$(mktemp -d)
service=
cleanup() {
  status=$?
  trap - EXIT INT TERM
  podman rm --all --force --time 0 >/dev/null 2>&1 || true
  [ -z "$service" ] || { kill "$service" 2>/dev/null && wait "$service" 2>/dev/null || true; }
  rm -rf "$scratch"
  exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Podman's own settings, for this script alone: the machine's are neither read nor changed.
export CONTAINERS_CONF=$scratch/containers.conf CONTAINERS_STORAGE_CONF=$scratch/storage.conf
podman() {
  HOME=$scratch command podman "$@"
}
mkdir -p "$scratch/.config/containers" "$scratch/networks"
echo '{"default":[{"type":"insecureAcceptAnything"}]}' > "$scratch/.config/containers/policy.json"
cat > "$CONTAINERS_STORAGE_CONF" <<CONF
[storage]
driver = "vfs"
runroot = "$scratch/run"
graphroot = "$scratch/storage"
CONF
cat > "$CONTAINERS_CONF" <<CONF
[containers]
default_ulimits = ["nofile=$(ulimit -n):$(ulimit -n)", "nproc=1024:1024"]
[network]
network_backend = "netavark"
network_config_dir = "$scratch/networks"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
static_dir = "$scratch/libpod"
tmp_dir = "$scratch/tmp"
volume_path = "$scratch/volumes"
CONF

# One layer: the server, the libraries that it loads, and what a file system must have.
make_image() { # NAME such as redis-8.0
  local kind=${1%%-*} root=$scratch/image image=redis:${1#*-} repository=library/
  [ "$kind" = redis ] || { image=valkey/valkey:${1#*-} repository=''; }
  mkdir "$root"
  cp -a "$servers/$1/." "$root"
  rm -f "$root/server"
  for directory in lib lib64; do
    [ -e "$root/$directory" ] || [ ! -d "$root/usr/$directory" ] || ln -s "usr/$directory" "$root/$directory"
  done
  mkdir -p "$root"/{tmp,data,etc,proc,sys,dev}
  echo 'root:x:0:0::/:/' > "$root/etc/passwd"
  tar -C "$root" -c . | podman import --quiet --change "CMD [\"/usr/bin/$kind-server\",\"--protected-mode\",\"no\"]" \
    --change 'EXPOSE 6379' --change 'WORKDIR /data' --change 'ENV PATH=/usr/bin' \
    - "docker.io/$repository$image" >/dev/null || unavailable "podman cannot make an image"
  rm -rf "$root"
  made=(docker.io/"$repository$image" "/usr/bin/$kind-server")
  echo "with-containers: made the image $image of $1" >&2
}

for launcher in "$servers"/*/server; do
  [ -x "$launcher" ] || fail "there are no servers in $servers: fill it with fetch-servers.sh"
  make_image "$(basename "$(dirname "$launcher")")"
done
podman run --rm "${made[@]}" --version >/dev/null 2>"$scratch/run.log" \
  || unavailable "podman cannot run a container: $(cat "$scratch/run.log")"

socket=$scratch/engine.sock
HOME=$scratch command podman system service --time=0 "unix://$socket" </dev/null >"$scratch/engine.log" 2>&1 &
service=$!
export DOCKER_HOST=unix://$socket TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_HOST_OVERRIDE=localhost
for _ in $(seq 100); do
  engine_answers && break
  kill -0 "$service" 2>/dev/null || unavailable "podman ended and said: $(cat "$scratch/engine.log")"
  sleep 0.1
done
engine_answers || unavailable "podman does not answer; it said: $(cat "$scratch/engine.log")"
echo "with-containers: podman answers" >&2
status=0
"$@" || status=$?
exit "$status"
