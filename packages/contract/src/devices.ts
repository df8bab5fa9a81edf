import { z } from 'zod'
import { text } from './text.ts'
import { Id, Instant, Label } from './values.ts'

/** Where the registration of a device at Apple stands. */
export const AppleState = z.enum(['none', 'waiting', 'registered', 'processing', 'refused'])
export type AppleState = z.infer<typeof AppleState>

export const Device = z
  .object({
    id: Id.meta({ examples: [9] }),
    tester: z.object({
      id: Id.meta({ examples: [12] }),
      email: text('ada@example.com'),
      name: text('Ada Holm').nullable(),
    }),
    udid: text('00008110-001A2B3C4D5E6F70'),
    product: text('iPhone14,2').nullable(),
    osVersion: text('22A3354').nullable().meta({ description: 'The build of the system' }),
    name: text('Ada Holm, iPhone14,2'),
    isAppleSigned: z
      .boolean()
      .meta({ description: "Whether the device's certificate comes from the device authority that Apple documents" }),
    apple: z
      .object({ state: AppleState, detail: text('The device is being processed').nullable() })
      .meta({ description: 'Its registration at Apple, by the App Store Connect key of the workspace' }),
    createdDate: Instant,
  })
  .meta({ id: 'Device' })
export type Device = z.infer<typeof Device>

export const UpdateDevice = z.object({ name: Label.max(50).meta({ examples: ["Ada's iPhone"] }) })
export type UpdateDevice = z.infer<typeof UpdateDevice>

export const DeviceOfBuild = z
  .object({
    deviceId: Id.meta({ examples: [9] }),
    testerId: Id.meta({ examples: [12] }),
    udid: text('00008110-001A2B3C4D5E6F70'),
    isInProfile: z.boolean().nullable().meta({ description: 'Null for a build whose profile lists no devices' }),
    isDistributed: z.boolean().meta({ description: 'Whether the build was distributed to a group of the tester' }),
  })
  .meta({ id: 'DeviceOfBuild' })
export type DeviceOfBuild = z.infer<typeof DeviceOfBuild>

const QueryId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)

export const ExportDevices = z.object({
  distributionGroupId: QueryId.optional().meta({
    description: 'Only devices of testers in the distribution group with this id',
    examples: [3],
  }),
  missingIn: QueryId.optional().meta({
    description: 'Only devices that are not in the profile of the build with this id',
    examples: [412],
  }),
})
export type ExportDevices = z.infer<typeof ExportDevices>

export const SaveAppStoreConnect = z.object({
  issuerId: z.guid().meta({ examples: ['57246542-96fe-1a63-e053-0824d011072a'] }),
  keyId: text('2X9R4HXF34').regex(/^[A-Za-z0-9]{5,20}$/, 'is not the id of a key'),
  privateKey: text('-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----').min(1).max(5000),
})
export type SaveAppStoreConnect = z.infer<typeof SaveAppStoreConnect>

/** The key of a workspace at App Store Connect, without the key. */
export const AppStoreConnect = z
  .object({
    issuerId: text('57246542-96fe-1a63-e053-0824d011072a'),
    keyId: text('2X9R4HXF34'),
    createdDate: Instant,
    createdBy: text('Mara Lindqvist').nullable(),
  })
  .meta({ id: 'AppStoreConnect' })
export type AppStoreConnect = z.infer<typeof AppStoreConnect>
