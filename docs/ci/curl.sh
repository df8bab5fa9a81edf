#!/usr/bin/env bash
# Needs FAIRLEAD_URL, FAIRLEAD_TOKEN and curl, and nothing else: curl.sh ALIAS FILE. The key is of the job and the file,
# so that a second attempt gives the first build, and another file of the same job makes another one.
set -euo pipefail
alias=$1 file=$2
digest=$(openssl dgst -sha256 -r "$file" | cut -d ' ' -f 1)
curl --fail-with-body --silent --show-error --retry 3 \
  -H "X-Service-Token: $FAIRLEAD_TOKEN" \
  -H "X-Service-Application-Alias: $alias" \
  -H "Content-Disposition: attachment; filename=\"$(basename "$file")\"" \
  -H "X-Service-Branch: ${BRANCH:-}" -H "X-Service-Commit: ${COMMIT:-}" -H "X-Service-CI-Url: ${JOB_URL:-}" \
  -H "Idempotency-Key: ${JOB_URL:-$RANDOM$RANDOM} $alias $digest" \
  -T "$file" -X POST "$FAIRLEAD_URL/v2/builds"
