import type { BuildRecord } from '../builds/build.ts'
import { escapeMarkup } from './html.ts'
import { toBinaryUrl } from './urls.ts'

/** The property list that iOS reads to install an app over the air. */
export function renderManifest(build: BuildRecord, grant: string, baseUrl: string): string {
  // XML 1.0 has no way to write most control characters.
  const xml = (text: string) => escapeMarkup(text.replace(/[^\P{Cc}\t\n\r]/gu, ''))
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>items</key>
  <array>
    <dict>
      <key>assets</key>
      <array>
        <dict>
          <key>kind</key>
          <string>software-package</string>
          <key>url</key>
          <string>${xml(toBinaryUrl(build, grant, baseUrl))}</string>
        </dict>
      </array>
      <key>metadata</key>
      <dict>
        <key>bundle-identifier</key>
        <string>${xml(build.bundle_identifier)}</string>
        <key>bundle-version</key>
        <string>${xml(build.short_version)}</string>
        <key>kind</key>
        <string>software</string>
        <key>title</key>
        <string>${xml(build.name)}</string>
      </dict>
    </dict>
  </array>
</dict>
</plist>
`
}
