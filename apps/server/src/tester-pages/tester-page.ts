import type { DeviceRecord } from '../devices/device.ts'
import type { Language } from '../install/language.ts'
import type { LinkedTesterRecord } from '../testers/find.ts'
import type { TesterBuilds } from './list-builds.ts'

/** What the page of a tester and its sections are made of. */
export interface TesterPage extends TesterBuilds {
  tester: LinkedTesterRecord
  devices: DeviceRecord[]
  /** Whether it is looked at on an iPhone or iPad. */
  isAppleDevice: boolean
  /** The application whose builds are shown; null for those of all. */
  applicationId: number | null
  /** The path of the page, which authorizes its forms as well. */
  path: string
  language: Language
  /** Whether the team takes feedback from testers. */
  takesFeedback: boolean
  baseUrl: string
  signingKey: Buffer
}
