#!/bin/sh
# ci_scripts/ci_post_xcodebuild.sh, executable. FAIRLEAD_URL and FAIRLEAD_TOKEN (secret) are variables of the workflow,
# which exports for ad hoc distribution. Its machines have Homebrew, and get Node from it.
set -eu
if [ -z "${CI_ARCHIVE_PATH:-}" ] || [ -z "${CI_AD_HOC_SIGNED_APP_PATH:-}" ]; then exit 0; fi
command -v npx > /dev/null || brew install node
npx --yes --package "$FAIRLEAD_URL/cli/fairlead-0.1.0.tgz" -- fairlead builds upload \
  "$CI_AD_HOC_SIGNED_APP_PATH/$CI_PRODUCT.ipa" --app shop-ios --dsym "$CI_ARCHIVE_PATH" --group QA --notify
