import type { AppInfo } from '../app-info.ts'

const firstToNeedV2 = 30
const firstToReadV2 = 24

/** Lists the problems visible in the file that would prevent its installation or a later update. */
export function listInstallWarnings(info: AppInfo): string[] {
  const { certificates, integrity } = info.signing
  const isV1Only = certificates.every(({ scheme }) => scheme === 'v1')
  const hasV1 = certificates.some(({ scheme }) => scheme === 'v1')
  const isDebugSigned = certificates.some(({ subject }) => /(^|, )CN=Android Debug(,|$)/.test(subject))
  return [
    info.split !== null && `This APK is only a part of the app (${info.split}): it cannot be installed alone.`,
    info.needsSplits && 'This APK needs further splits: it cannot be installed alone.',
    info.isTestOnly && 'This APK is marked as for testing only: it installs with adb -t, not from a browser.',
    integrity === 'none' && 'This APK is not signed: Android refuses it.',
    isDebugSigned && 'This APK is signed with a debug key: a release build will not install over it.',
    hasV1 &&
      isV1Only &&
      Number(info.targetOsVersion) >= firstToNeedV2 &&
      'Signature scheme v2 is missing, which its target SDK version needs: Android 11 and later refuse it.',
    !hasV1 &&
      !isV1Only &&
      Number(info.minOsVersion ?? 1) < firstToReadV2 &&
      'Signature scheme v1 is missing: Android 6 and earlier refuse it.',
  ].filter((warning) => warning !== false)
}
