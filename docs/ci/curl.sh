#!/usr/bin/env bash
# Needs FAIRLEAD_URL, FAIRLEAD_TOKEN and curl, and nothing else. The key makes a second attempt give the first build.
set -euo pipefail
curl --fail-with-body --silent --show-error --retry 3 \
  -H "X-Service-Token: $FAIRLEAD_TOKEN" \
  -H 'X-Service-Application-Alias: shop' \
  -H "X-Service-Branch: ${BRANCH:-}" -H "X-Service-Commit: ${COMMIT:-}" -H "X-Service-CI-Url: ${JOB_URL:-}" \
  -H "Idempotency-Key: ${JOB_URL:-$RANDOM$RANDOM}" \
  -T app/build/outputs/apk/release/app-release.apk -X POST "$FAIRLEAD_URL/v2/builds"
