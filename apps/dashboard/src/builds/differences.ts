import type { Build } from '@fairlead/contract'
import { formatBytes } from '../ui/format.ts'
import { toShortPermission } from './short-permission.ts'

export interface Difference {
  what: string
  before: string
  after: string
  /** Marks a change that deserves a second look before testers get the build. */
  isNotable: boolean
}

type Compared = Pick<
  Build,
  | 'shortVersion'
  | 'version'
  | 'size'
  | 'permissions'
  | 'minOsVersion'
  | 'targetOsVersion'
  | 'architectures'
  | 'signing'
  | 'debuggable'
>

/** Lists what changed from one build to the next. */
export function compareBuilds(before: Compared, after: Compared): Difference[] {
  const differences = [
    compare('Minimum system', before.minOsVersion, after.minOsVersion, true),
    compare('Target system', before.targetOsVersion, after.targetOsVersion, false),
    compare('Signed by', toSigner(before), toSigner(after), true),
    compare('Profile', before.signing?.profile?.name ?? null, after.signing?.profile?.name ?? null, true),
    compare('Debuggable', before.debuggable ? 'yes' : 'no', after.debuggable ? 'yes' : 'no', true),
    compare('Architectures', before.architectures.join(', '), after.architectures.join(', '), true),
  ]
  return [...compareSizes(before.size, after.size), ...differences.flat(), ...comparePermissions(before, after)]
}

function compareSizes(before: number, after: number): Difference[] {
  if (before === after) return []
  const change = after - before
  const percent = (Math.abs(change) / before) * 100
  const share = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 }).format(percent)
  const sign = change > 0 ? '+' : '−'
  return [
    {
      what: 'Size',
      before: formatBytes(before),
      after: `${formatBytes(after)} (${sign}${formatBytes(Math.abs(change))}, ${sign}${share} %)`,
      isNotable: percent >= 10,
    },
  ]
}

function compare(what: string, before: string | null, after: string | null, isNotable: boolean): Difference[] {
  return before === after ? [] : [{ what, before: toShown(before), after: toShown(after), isNotable }]
}

function comparePermissions(before: Compared, after: Compared): Difference[] {
  const added = after.permissions.filter((permission) => !before.permissions.includes(permission))
  const removed = before.permissions.filter((permission) => !after.permissions.includes(permission))
  const list = (permissions: string[]) => permissions.map(toShortPermission).join(', ')
  return [
    ...(added.length > 0 ? [{ what: 'New permissions', before: '', after: list(added), isNotable: true }] : []),
    ...(removed.length > 0
      ? [{ what: 'Dropped permissions', before: list(removed), after: '', isNotable: false }]
      : []),
  ]
}

function toSigner({ signing }: Compared): string | null {
  const certificate = signing?.certificates[0]
  if (!certificate) return null
  return `${certificate.subject ?? 'a certificate'} (${certificate.sha256.slice(0, 12)}…)`
}

function toShown(value: string | null): string {
  return value === null || value === '' ? 'none' : value
}
