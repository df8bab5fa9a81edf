import { z } from 'zod'
import { Id, Instant, Page, Platform, Sha256 } from './values.ts'

const Certificate = z.object({
  scheme: z.string(),
  sha256: Sha256,
  subject: z.string(),
  notAfter: z.string().nullable(),
})

const ProvisioningProfile = z.object({
  type: z.enum(['development', 'ad-hoc', 'enterprise', 'app-store']),
  name: z.string().nullable(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  expirationDate: z.string().nullable(),
  deviceCount: z.int(),
})

/** The signature of the binary, as far as the binary states it. */
export const Signing = z.object({
  certificates: z.array(Certificate),
  profile: ProvisioningProfile.nullable(),
  /** `verified` or `broken` if the signed digests were compared with the bytes, otherwise `extracted`. */
  integrity: z.enum(['none', 'extracted', 'verified', 'broken']),
})
export type Signing = z.infer<typeof Signing>

/** Shows which of the build's images have symbols on this server. */
export const SymbolsCoverage = z.object({
  expected: z.int(),
  present: z.int(),
  missing: z
    .array(z.object({ name: z.string(), uuid: z.string(), architecture: z.string().nullable() }))
    .meta({ description: 'The first 100 of them' }),
})
export type SymbolsCoverage = z.infer<typeof SymbolsCoverage>

export const Build = z
  .object({
    id: Id,
    shortVersion: z.string(),
    version: z.string().meta({ description: 'versionCode or CFBundleVersion, always as a string' }),
    bundleIdentifier: z.string(),
    installUrl: z.string(),
    expirationDate: Instant,
    applicationId: Id,
    applicationAlias: z.string(),
    platform: Platform,
    name: z.string(),
    fileName: z.string(),
    size: z.int().meta({ description: 'bytes' }),
    sha256: Sha256,
    uploadedDate: Instant,
    uploadedBy: z.string(),
    isExpired: z.boolean(),
    releaseNotes: z.string().nullable().meta({ description: 'Markdown' }),
    minOsVersion: z.string().nullable(),
    targetOsVersion: z.string().nullable(),
    iconUrl: z.string().nullable(),
    downloadUrl: z.string(),
    distributionGroups: z.array(z.object({ id: Id, name: z.string(), distributedDate: Instant })),
    signing: Signing.nullable(),
    source: z
      .object({ branch: z.string().nullable(), commit: z.string().nullable(), ciUrl: z.string().nullable() })
      .nullable(),
    symbols: SymbolsCoverage.nullable(),
    installCount: z.int(),
    permissions: z.array(z.string()),
    architectures: z.array(z.string()),
    debuggable: z.boolean(),
    isInstallable: z.boolean().meta({ description: 'False if no device accepts it, such as an App Store build' }),
    warnings: z.array(z.string()).meta({ description: 'What may prevent the installation, in English' }),
  })
  .meta({ id: 'Build' })
export type Build = z.infer<typeof Build>

/** `releaseNotes` that are null or missing clear the notes; so does a body of `null`, or no body. */
export const UpdateBuild = z.object({ releaseNotes: z.string().nullish() }).nullish()
export type UpdateBuild = z.infer<typeof UpdateBuild>

export const releaseNotesLimit = 64 * 1024

export const DistributeBuild = z.object({
  distributionGroupNames: z.array(z.string()).max(1000).nullish(),
  distributionGroupIds: z.array(z.int()).max(1000).nullish(),
  notifyTesters: z.boolean().nullish(),
})
export type DistributeBuild = z.infer<typeof DistributeBuild>

export const ListBuilds = Page.extend({
  distributionGroupName: z.string().max(1000).optional(),
  q: z.string().max(200).optional().meta({ description: 'Searches versions, branch, commit and notes' }),
  branch: z.string().max(500).optional(),
  branchPrefix: z.string().max(500).optional().meta({ description: 'The beginning of the branch, with its case' }),
  shortVersion: z.string().max(500).optional(),
  version: z.string().max(500).optional(),
})
export type ListBuilds = z.infer<typeof ListBuilds>

/** A branch that builds of an application come from. */
export const Branch = z
  .object({ name: z.string(), buildCount: z.int(), latestBuildId: Id })
  .meta({ id: 'Branch', description: 'Counts the builds among the newest 5,000 of the application' })
export type Branch = z.infer<typeof Branch>

/** Number of installations of a build, by day and by tester. */
export const InstallStatistics = z
  .object({
    days: z.array(z.object({ date: z.iso.date(), installs: z.int(), downloads: z.int() })),
    testers: z.array(z.object({ id: Id, email: z.string(), count: z.int(), lastDate: Instant })),
  })
  .meta({ id: 'InstallStatistics' })
export type InstallStatistics = z.infer<typeof InstallStatistics>
