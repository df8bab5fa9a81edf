/** The tables of devices as Kysely types. */
import type { AppleState } from '@fairlead/contract'
import type { Generated } from 'kysely'
import type { JsonText } from '../json-text.ts'
import type { SecretText } from '../secret-text.ts'

interface DevicesTable {
  id: Generated<number>
  workspace_id: number
  tester_id: number
  udid: string
  /** In lower case, because UDIDs are compared without case. */
  udid_key: string
  /** The model, such as `iPhone14,2`. */
  product: string | null
  os_version: string | null
  name: string
  is_apple_signed: number
  apple_state: AppleState
  apple_detail: string | null
  created_at: number
}

/** The first answer to a challenge, which takes one device only. */
interface DeviceAnswersTable {
  challenge_hash: string
  tester_id: number
  udid_hash: string
  expires_at: number
}

/** The devices that the provisioning profile of a build lists; a build whose profile lists none has no row. */
interface BuildProfilesTable {
  build_id: number
  /** The beginnings of the digests of their UDIDs. */
  devices: JsonText<string[]>
}

/** The key of a workspace at App Store Connect. */
interface AppStoreKeysTable {
  id: Generated<number>
  workspace_id: number
  issuer: string
  key_name: string
  private_key: SecretText
  created_at: number
  created_by: string | null
}

export interface DevicesSchema {
  devices: DevicesTable
  device_answers: DeviceAnswersTable
  build_profiles: BuildProfilesTable
  app_store_keys: AppStoreKeysTable
}
