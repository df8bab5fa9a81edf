import { BinaryError } from '../binary-error.ts'
import { withinBounds } from '../within-bounds.ts'
import { readElements, type XmlElement } from './binary-xml.ts'
import { toText, type Value } from './value.ts'

/** Resource ids of the attributes, as Android's framework defines them (`android.R.attr`). */
export const attribute = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  debuggable: 0x0101000f,
  src: 0x01010119,
  drawable: 0x01010199,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  maxSdkVersion: 0x01010271,
  testOnly: 0x01010272,
  roundIcon: 0x0101052c,
  versionCodeMajor: 0x01010576,
  isSplitRequired: 0x01010591,
  requiredSplitTypes: 0x0101064e,
} as const

/** The contents of AndroidManifest.xml; references to resources are not resolved. */
export interface Manifest {
  package: string
  split: string | undefined
  versionCode: Value | undefined
  versionCodeMajor: Value | undefined
  versionName: Value | undefined
  minSdkVersion: Value | undefined
  targetSdkVersion: Value | undefined
  label: Value | undefined
  icon: Value | undefined
  roundIcon: Value | undefined
  debuggable: Value | undefined
  testOnly: Value | undefined
  isSplitRequired: Value | undefined
  requiredSplitTypes: Value | undefined
  permissions: Value[]
  /** The first activity that the launcher shows. */
  launcher: { label: Value | undefined; icon: Value | undefined } | undefined
}

const maxPermissions = 5000

/**
 * Parses a compiled manifest.
 *
 * @throws BinaryError `malformed-manifest`, `missing-field` or `too-large`.
 */
export function parseManifest(bytes: Buffer): Manifest {
  return withinBounds('malformed-manifest', () => collectManifest(readElements(bytes)))
}

/** Builds a manifest from its elements, which may come from compiled XML or from protocol buffers. */
export function collectManifest(elements: Iterable<XmlElement>): Manifest {
  let manifest: Manifest | undefined
  let activity: XmlElement | undefined
  const path: string[] = []
  for (const element of elements) {
    if (element.depth < 1 || element.depth > 5) continue
    path.length = element.depth - 1
    path.push(element.name)
    switch (path.join('>')) {
      case 'manifest':
        manifest ??= startManifest(element)
        break
      case 'manifest>uses-sdk':
        readUsesSdk(manifest, element)
        break
      case 'manifest>uses-permission':
      case 'manifest>uses-permission-sdk-23':
      case 'manifest>uses-permission-sdk-m':
        readPermission(manifest, element)
        break
      case 'manifest>application':
        readApplication(manifest, element)
        break
      case 'manifest>application>activity':
      case 'manifest>application>activity-alias':
        activity = element
        break
      case 'manifest>application>activity>intent-filter>category':
      case 'manifest>application>activity-alias>intent-filter>category':
        readCategory(manifest, activity, element)
        break
    }
  }
  if (!manifest) throw new BinaryError('malformed-manifest', 'It has no <manifest>.')
  return manifest
}

function startManifest(element: XmlElement): Manifest {
  const name = element.plainAttribute('package')?.text
  if (name === undefined || name === '') throw new BinaryError('missing-field', 'The manifest has no package name.')
  return {
    package: name,
    split: element.plainAttribute('split')?.text,
    versionCode: element.attribute(attribute.versionCode),
    versionCodeMajor: element.attribute(attribute.versionCodeMajor),
    versionName: element.attribute(attribute.versionName),
    isSplitRequired: element.attribute(attribute.isSplitRequired),
    requiredSplitTypes: element.attribute(attribute.requiredSplitTypes),
    minSdkVersion: undefined,
    targetSdkVersion: undefined,
    label: undefined,
    icon: undefined,
    roundIcon: undefined,
    debuggable: undefined,
    testOnly: undefined,
    permissions: [],
    launcher: undefined,
  }
}

function readUsesSdk(manifest: Manifest | undefined, element: XmlElement): void {
  if (!manifest) return
  manifest.minSdkVersion = element.attribute(attribute.minSdkVersion) ?? manifest.minSdkVersion
  manifest.targetSdkVersion = element.attribute(attribute.targetSdkVersion) ?? manifest.targetSdkVersion
}

function readPermission(manifest: Manifest | undefined, element: XmlElement): void {
  const name = element.attribute(attribute.name)
  if (!manifest || !name) return
  if (manifest.permissions.length >= maxPermissions)
    throw new BinaryError('too-large', 'It requests too many permissions.')
  manifest.permissions.push(name)
}

function readApplication(manifest: Manifest | undefined, element: XmlElement): void {
  if (!manifest) return
  manifest.label ??= element.attribute(attribute.label)
  manifest.icon ??= element.attribute(attribute.icon)
  manifest.roundIcon ??= element.attribute(attribute.roundIcon)
  manifest.debuggable ??= element.attribute(attribute.debuggable)
  manifest.testOnly ??= element.attribute(attribute.testOnly)
}

function readCategory(manifest: Manifest | undefined, activity: XmlElement | undefined, element: XmlElement): void {
  if (!manifest || !activity || manifest.launcher) return
  const name = element.attribute(attribute.name)
  const category = name && toText(name)
  if (category !== 'android.intent.category.LAUNCHER' && category !== 'android.intent.category.LEANBACK_LAUNCHER')
    return
  manifest.launcher = { label: activity.attribute(attribute.label), icon: activity.attribute(attribute.icon) }
}
