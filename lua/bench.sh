#!/bin/sh
# Measures the cost of one decision of each script on the server, beside its floors: see `./penstock script-cost --help`.
exec "$(dirname -- "$0")/../penstock" script-cost "$@"
