# A build phase "Run Script" at the end of the app's target. It uploads the dSYMs of archived builds, so that crashes of
# TestFlight and App Store installs can be read. FAIRLEAD_URL and FAIRLEAD_TOKEN come from an .xcconfig that is not in
# the repository, or from `fairlead login`. In an .xcconfig, // begins a comment, so the address is written as
#   FAIRLEAD_URL = https:/$()/builds.example.com
# The sandbox of scripts allows neither the network nor folders that are not named: set ENABLE_USER_SCRIPT_SANDBOXING
# to NO for the target.
if [ "${ACTION:-build}" != install ]; then exit 0; fi
if [ "${ENABLE_USER_SCRIPT_SANDBOXING:-NO}" = YES ]; then
  echo "error: Set ENABLE_USER_SCRIPT_SANDBOXING to NO, so that this phase can upload the dSYMs" >&2
  exit 1
fi
export PATH="$PATH:/opt/homebrew/bin:/usr/local/bin"
npx --yes --package "$FAIRLEAD_URL/cli/fairlead-0.1.0.tgz" -- fairlead symbols upload "$DWARF_DSYM_FOLDER_PATH" --app shop-ios
