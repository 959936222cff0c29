#!/usr/bin/env bash
# Runs the tests that rest on time on a machine that is kept busy, and with servers that stall; each must pass.
#   compat-tests/stress.sh [MAVEN OPTION...]           both ways below, one after the other
#   compat-tests/stress.sh busy [MAVEN OPTION...]      beside as many spinning processes as there are cores
#   compat-tests/stress.sh stalls [MAVEN OPTION...]    with each server stopped for 20 ms at random moments, a few times a second
# Example: compat-tests/stress.sh stalls -pl client-jedis -am
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tests='FaultProxyTest,TlsLinkTest,SentinelGroupTest,HeldReplyTest,ServerProcessTest,ClusterDeploymentTest'
tests+=',ConnectionWaitTest,SuppliedTransportTest,AsyncCallTest,AsyncTransportRateLimiterTest,LimiterEventsTest,LeaseQueueTest'
tests+=',LeasingLimiterTest,CircuitBreakerTest,UnitAcquireTest,DropInClockTest,*ConnectionTest,*ClientTest,*VersionTest'
tests+=',*ProfileTest,ScriptsEqualModelTest,ServerTimeTest,ServerTimePropertyTest,WaitPropertyTest,ConcurrencyTest,VectorsTest'
tests+=',RecipesTest,ClientClosingTest'
tests+=',*CompatibilityTest,*RateLimitersTest,*ClusterTest,*SentinelTest,ReplicatedTest,*DeadlineTest,*FaultTest,*RetryTest'

results=$(mktemp -d)
spinning=()
trap 'kill "${spinning[@]}" 2> /dev/null || true; rm -rf "$results"' EXIT

spin() {
  for _ in $(seq "$(getconf _NPROCESSORS_ONLN)"); do
    (while :; do :; done) &
    spinning+=("$!")
  done
}

run() {
  mvn -B -ntp test "-Dtest=$tests" -DexcludedGroups=mistakes \
    -Dsurefire.failIfNoSpecifiedTests=false "-Dpenstock.clients.results=$results" "$@"
}

ways=(busy stalls)
case "${1:-}" in
  busy | stalls) ways=("$1") && shift ;;
esac

for way in "${ways[@]}"; do
  begun=$SECONDS
  if [ "$way" = busy ]; then
    spin
    run "$@"
    kill "${spinning[@]}"
    wait "${spinning[@]}" 2> /dev/null || true
    spinning=()
  else
    run -Dpenstock.stalls=20 "$@"
  fi
  printf '\nstress.sh: passed %s, %d s\n' "$way" "$((SECONDS - begun))"
done
