import type { DeviceFamily } from '@fairlead/binary'
import type { Signing } from '@fairlead/contract'

/** Properties that prevent installation on devices that the platform alone would allow. */
export interface InstallLimits {
  isPartOfApp: boolean
  isTestOnly: boolean
  isForSimulator: boolean
  /** Empty when the binary does not name any. */
  deviceFamilies: DeviceFamily[]
}

/** Facts read from a binary that are shown but never searched; the row keeps them as one JSON column. */
export interface BuildDetails {
  signing: Signing | null
  permissions: string[]
  architectures: string[]
  debuggable: boolean
  warnings: string[]
  /** Missing in builds that were uploaded to an earlier version of Fairlead. */
  limits?: InstallLimits
}
