# A build phase "Run Script" at the end of the app's target. It uploads the dSYMs of archived builds, so that crashes of
# TestFlight and App Store installs can be read. FAIRLEAD_URL and FAIRLEAD_TOKEN come from an .xcconfig that is not in
# the repository, or from `fairlead login`.
if [ "${ACTION:-build}" != install ]; then exit 0; fi
export PATH="$PATH:/opt/homebrew/bin:/usr/local/bin"
npx --yes fairlead symbols upload "$DWARF_DSYM_FOLDER_PATH" --app shop-ios
