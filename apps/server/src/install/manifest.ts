import type { BuildRecord } from '../builds/build.ts'
import { escapeMarkup } from '../html/html.ts'
import { toShownText } from './shown-text.ts'
import { toBinaryUrl, toGrantedIconUrl } from './urls.ts'

/** Renders the property list that iOS reads to install an app over the air. */
export function renderManifest(build: BuildRecord, grant: string, baseUrl: string): string {
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
          <string>${toXml(toBinaryUrl(build, grant, baseUrl))}</string>
        </dict>${build.icon_type === 'image/png' ? renderIcon(toGrantedIconUrl(grant, baseUrl)) : ''}
      </array>
      <key>metadata</key>
      <dict>
        <key>bundle-identifier</key>
        <string>${toXml(build.bundle_identifier)}</string>
        <key>bundle-version</key>
        <string>${toXml(build.short_version)}</string>
        <key>kind</key>
        <string>software</string>
        <key>title</key>
        <string>${toXml(toShownText(build.name))}</string>
      </dict>
    </dict>
  </array>
</dict>
</plist>
`
}

/** The icon that the home screen shows during the download. */
function renderIcon(url: string): string {
  return `
        <dict>
          <key>kind</key>
          <string>display-image</string>
          <key>url</key>
          <string>${toXml(url)}</string>
        </dict>`
}

/** Removes characters that XML 1.0 cannot represent: most control characters, lone surrogates, U+FFFE and U+FFFF. */
function toXml(text: string): string {
  return escapeMarkup(text.toWellFormed().replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, ''))
}
