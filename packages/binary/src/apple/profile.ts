/**
 * A provisioning profile is a CMS message (SignedData) around a property list. Only the path to the content is parsed:
 *   ContentInfo { 1.2.840.113549.1.7.2, [0] SignedData { version, digests, { 1.2.840.113549.1.7.1, [0] content } } }
 * The property list is never found by searching for its text, because the message may contain decoys. A few tools store
 * the bare property list; that is read too.
 */
import type { Platform, ProvisioningProfile } from '../app-info.ts'
import { BinaryError } from '../binary-error.ts'
import { derTag, readDer, readDerChildren, readOctets, type DerElement } from '../der.ts'
import { clipText } from '../identifier.ts'
import { parsePlist } from '../plist/plist.ts'
import { isPlistDictionary, type PlistDictionary } from '../plist/plist-value.ts'
import { toJson } from '../plist/to-json.ts'
import { withinBounds } from '../within-bounds.ts'

/** Content octets of the OIDs 1.2.840.113549.1.7.2 (signedData) and 1.2.840.113549.1.7.1 (data). */
const signedData = Buffer.from('2a864886f70d010702', 'hex')
const data = Buffer.from('2a864886f70d010701', 'hex')
const maxDevices = 10_000

/**
 * Parses a profile. `platform` decides the type of profiles that do not state it.
 *
 * @throws BinaryError `malformed-profile`, `malformed-plist` or `too-large`.
 */
export function parseProfile(bytes: Buffer, platform: Platform): ProvisioningProfile {
  const list = parsePlist(looksLikePlist(bytes) ? bytes : withinBounds('malformed-profile', () => readContent(bytes)))
  if (!isPlistDictionary(list)) throw new BinaryError('malformed-profile', 'Its content is not a dictionary.')
  const devices = readStrings(list['ProvisionedDevices']).slice(0, maxDevices)
  const entitlements = list['Entitlements']
  const identifiers = isPlistDictionary(entitlements) ? entitlements : {}
  return {
    type: toType(list, platform),
    name: readText(list['Name']),
    uuid: readText(list['UUID']),
    teamId: readStrings(list['TeamIdentifier'])[0] ?? readStrings(list['ApplicationIdentifierPrefix'])[0] ?? null,
    teamName: readText(list['TeamName']),
    appIdentifier:
      readText(identifiers['application-identifier']) ?? readText(identifiers['com.apple.application-identifier']),
    creationDate: readDate(list['CreationDate']),
    expirationDate: readDate(list['ExpirationDate']),
    deviceCount: devices.length,
    devices,
    entitlements: toJson(identifiers),
  }
}

function looksLikePlist(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 8)
  return start.startsWith('bplist') || start.startsWith('<') || start.startsWith('\u00ef\u00bb\u00bf<')
}

function readContent(bytes: Buffer): Buffer {
  const [type, wrapped] = children(readDer(bytes), derTag.sequence)
  const [signed] = wrapped ? children(wrapped, derTag.context0) : []
  if (!type?.content.equals(signedData) || !signed) throw new RangeError('no signed data')
  const content = children(signed, derTag.sequence)[2]
  const [contentType, octets] = content ? children(content, derTag.sequence) : []
  const [text] = octets ? children(octets, derTag.context0) : []
  if (!contentType?.content.equals(data) || !text) throw new RangeError('no content')
  return readOctets(text)
}

function children(element: DerElement, tag: number): DerElement[] {
  if (element.tag !== tag) throw new RangeError('another element is expected')
  return readDerChildren(element)
}

/** On macOS, a profile with a list of devices is for development even without get-task-allow. */
function toType(list: PlistDictionary, platform: Platform): ProvisioningProfile['type'] {
  const entitlements = list['Entitlements']
  const mayDebug = isPlistDictionary(entitlements) && entitlements['get-task-allow'] === true
  if (list['ProvisionsAllDevices'] === true) return 'enterprise'
  if (!Array.isArray(list['ProvisionedDevices'])) return 'app-store'
  return mayDebug || platform === 'macos' ? 'development' : 'ad-hoc'
}

function readText(value: unknown): string | null {
  return typeof value === 'string' ? clipText(value) : null
}

function readStrings(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.filter((item) => typeof item === 'string').map(clipText)
}

function readDate(value: unknown): string | null {
  return value instanceof Date ? value.toISOString() : null
}
