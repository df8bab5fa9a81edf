import { createHash } from 'node:crypto'
import { signMessage } from '@fairlead/binary'
import type { AppContext } from '../context.ts'
import { escapeMarkup } from '../html/html.ts'
import { createChallenge, type ChallengedTester } from './challenge.ts'

/** The words of a profile, which iOS shows before it is installed. */
export interface ProfileWords {
  name: string
  organization: string
  description: string
}

/**
 * Creates a profile of the type Profile Service: installed, it has the device send its UDID, model and version to the
 * address inside, and is gone. It is signed if the operator has set a certificate.
 */
export function createDeviceProfile(
  { config, signingKey }: Pick<AppContext, 'config' | 'signingKey'>,
  tester: ChallengedTester,
  words: ProfileWords,
): Buffer {
  const challenge = createChallenge(signingKey, tester)
  const content = Buffer.from(renderProfile(challenge, config.baseUrl, words))
  return config.profileSigner === null ? content : signMessage(content, config.profileSigner)
}

function renderProfile(challenge: string, baseUrl: string, words: ProfileWords): string {
  const text = (value: string) => `<string>${escapeMarkup(value)}</string>`
  const identifier = `fairlead.device.${new URL(baseUrl).hostname}`
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadContent</key>
  <dict>
    <key>URL</key>
    ${text(`${baseUrl}/devices/${challenge}`)}
    <key>DeviceAttributes</key>
    <array>
      <string>UDID</string>
      <string>PRODUCT</string>
      <string>VERSION</string>
    </array>
    <key>Challenge</key>
    ${text(challenge)}
  </dict>
  <key>PayloadOrganization</key>
  ${text(words.organization)}
  <key>PayloadDisplayName</key>
  ${text(words.name)}
  <key>PayloadDescription</key>
  ${text(words.description)}
  <key>PayloadVersion</key>
  <integer>1</integer>
  <key>PayloadUUID</key>
  ${text(toUuid(challenge))}
  <key>PayloadIdentifier</key>
  ${text(identifier)}
  <key>PayloadType</key>
  <string>Profile Service</string>
</dict>
</plist>
`
}

/** A UUID that is new with each challenge. */
function toUuid(challenge: string): string {
  const digits = createHash('sha256').update(challenge).digest('hex').toUpperCase()
  return [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`]
    .concat(digits.slice(20, 32))
    .join('-')
}
