import type { Crash, MissingSymbols } from '@fairlead/contract'

/** Lists those of an application's missing symbols that the frames of a crash wait for. */
export function listMissingOf(crash: Pick<Crash, 'missingSymbols'>, all: readonly MissingSymbols[]): MissingSymbols[] {
  return all.filter((one) => isMissingFor(crash, one))
}

/** Finds the first symbols that crashes would find after an upload; undefined if there are none. */
export function findUploadable(missing: readonly MissingSymbols[]): MissingSymbols | undefined {
  return missing.find(isFindable)
}

/** Whether an upload can be found: symbols are found by an id, and mappings by the number of a build as well. */
function isFindable({ kind, uuid, version }: MissingSymbols): boolean {
  return uuid !== null || kind === 'sourcemap' || (kind === 'proguard' && version !== null)
}

/** A crash names a missing mapping by its release, and other symbols by a UUID or a name. */
function isMissingFor({ missingSymbols }: Pick<Crash, 'missingSymbols'>, one: MissingSymbols): boolean {
  const release = [one.package, one.shortVersion, one.version === null ? null : `(${one.version})`]
  const named = release.filter((part) => part !== null).join(' ') || 'a release without a name'
  const names = [one.uuid, one.name, one.kind === 'proguard' ? named : null]
  return names.some((name) => name !== null && name !== '' && missingSymbols.includes(name))
}
