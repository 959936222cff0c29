#!/bin/sh
# What one decision of each script costs on the server, beside its floors: see `./penstock script-cost --help`.
exec "$(dirname -- "$0")/../penstock" script-cost "$@"
