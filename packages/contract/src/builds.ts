import { z } from 'zod'
import { Id, Instant, Page, Platform, Sha256 } from './values.ts'
import { Verdict } from './test-runs.ts'
import { text } from './text.ts'

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
    .meta({ description: 'The first 100 of them. The UUID is empty for a bundle of JavaScript without a debug id' }),
})
export type SymbolsCoverage = z.infer<typeof SymbolsCoverage>

export const Build = z
  .object({
    id: Id.meta({ examples: [412] }),
    shortVersion: text('2.4.0'),
    version: z.string().meta({ description: 'versionCode or CFBundleVersion, always as a string', examples: ['412'] }),
    bundleIdentifier: text('com.example.lighthouse'),
    installUrl: text('https://fairlead.example.com/install/Zk3v8QmT1yXw5RbN7cHs2LdPf9JgA4Ue6VtKoBi0MnE'),
    expirationDate: Instant.meta({ examples: ['2027-02-19T09:30:00.000Z'] }),
    number: z
      .int()
      .positive()
      .meta({ description: 'Counts the builds of the application; none is given twice', examples: [128] }),
    applicationId: Id.meta({ examples: [7] }),
    applicationAlias: text('lighthouse'),
    platform: Platform,
    name: text('Lighthouse'),
    fileName: text('lighthouse-2.4.0.apk'),
    size: z.int().meta({ description: 'bytes', examples: [24117248] }),
    sha256: Sha256,
    uploadedDate: Instant,
    uploadedBy: text('CI of Lighthouse'),
    isExpired: z.boolean(),
    isPinned: z.boolean().meta({ description: 'Whether no retention rule takes it', examples: [false] }),
    releaseNotes: z
      .string()
      .nullable()
      .meta({ description: 'Markdown', examples: ['- Charts load **twice as fast**\n- The map keeps its place'] }),
    minOsVersion: text('10').nullable(),
    targetOsVersion: text('16').nullable(),
    iconUrl: text('https://fairlead.example.com/install/Zk3v8QmT1yXw5RbN7cHs2LdPf9JgA4Ue6VtKoBi0MnE/icon').nullable(),
    downloadUrl: text('https://fairlead.example.com/v1/builds/412/binary'),
    distributionGroups: z.array(
      z.object({
        id: Id.meta({ examples: [3] }),
        name: text('Beta testers'),
        distributedDate: Instant,
      }),
    ),
    signing: Signing.nullable().meta({
      examples: [
        {
          certificates: [
            {
              scheme: 'v3',
              sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
              subject: 'CN=Example, O=Example Ltd',
              notAfter: '2051-04-02T08:00:00.000Z',
            },
          ],
          profile: null,
          integrity: 'verified',
        },
      ],
    }),
    source: z
      .object({
        branch: text('main').nullable(),
        commit: text('9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190').nullable(),
        ciUrl: text('https://ci.example.com/lighthouse/runs/9317').nullable(),
      })
      .nullable(),
    symbols: SymbolsCoverage.nullable().meta({ examples: [{ expected: 1, present: 1, missing: [] }] }),
    installCount: z.int().meta({ examples: [57] }),
    permissions: z.array(z.string()).meta({ examples: [['android.permission.CAMERA', 'android.permission.INTERNET']] }),
    architectures: z.array(z.string()).meta({ examples: [['arm64-v8a', 'x86_64']] }),
    debuggable: z.boolean(),
    isInstallable: z
      .boolean()
      .meta({ description: 'False if no device accepts it, such as an App Store build', examples: [true] }),
    warnings: z
      .array(z.string())
      .meta({ description: 'What may prevent the installation, in English', examples: [[]] }),
  })
  .meta({ id: 'Build' })
export type Build = z.infer<typeof Build>

/** `releaseNotes` that are null or missing clear the notes; so does a body of `null`, or no body. */
export const UpdateBuild = z
  .object({
    releaseNotes: text('- Charts load **twice as fast**\n- The map keeps its place').nullish(),
  })
  .nullish()
export type UpdateBuild = z.infer<typeof UpdateBuild>

export const releaseNotesLimit = 64 * 1024

export const DistributeBuild = z.object({
  distributionGroupNames: z
    .array(z.string())
    .max(1000)
    .nullish()
    .meta({ examples: [['Beta testers']] }),
  distributionGroupIds: z.array(z.int()).max(1000).nullish(),
  notifyTesters: z.boolean().nullish(),
})
export type DistributeBuild = z.infer<typeof DistributeBuild>

/** The orders of a list of builds. */
export const buildSorts = ['newest', 'oldest', 'largest', 'installs'] as const

export const ListBuilds = Page.extend({
  distributionGroupName: text('Beta testers').max(1000).optional(),
  q: z
    .string()
    .max(200)
    .optional()
    .meta({
      description: 'Searches versions, branch, commit and notes; `#128` is a number of a build',
      examples: ['2.4'],
    }),
  branch: text('main').max(500).optional(),
  branchPrefix: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'The beginning of the branch, with its case', examples: ['release/'] }),
  shortVersion: text('2.4.0').max(500).optional(),
  version: text('412').max(500).optional(),
  sort: z
    .enum(buildSorts)
    .optional()
    .meta({ description: 'Default: `newest`', examples: ['largest'] }),
})
export type ListBuilds = z.infer<typeof ListBuilds>

/** A branch that builds of an application come from. */
export const Branch = z
  .object({
    name: text('main'),
    buildCount: z.int().meta({ examples: [128] }),
    latestBuildId: Id.meta({ examples: [412] }),
  })
  .meta({ id: 'Branch', description: 'Counts the builds among the newest 5,000 of the application' })
export type Branch = z.infer<typeof Branch>

export const ListBuildFacts = z.object({
  ids: text('412,411')
    .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14}){0,49}$/, 'takes 1 to 50 ids with commas between them')
    .transform((list) => list.split(',').map(Number)),
})
export type ListBuildFacts = z.infer<typeof ListBuildFacts>

/** What is known of a build besides the build itself. It is asked for apart, because it takes longer to find out. */
export const BuildFacts = z
  .object({
    buildId: Id.meta({ examples: [412] }),
    verdict: Verdict.shape.result
      .nullable()
      .meta({ description: 'That of its test runs; null if it was not tested', examples: ['pass'] }),
    crashCount: z.int().meta({ description: 'Crashes of its release', examples: [3] }),
    previousBuildId: Id.nullable().meta({ examples: [411] }),
    sizeChange: z
      .int()
      .nullable()
      .meta({ description: 'bytes, compared with the previous build; null for the first', examples: [81920] }),
  })
  .meta({ id: 'BuildFacts' })
export type BuildFacts = z.infer<typeof BuildFacts>

/** Number of installations of a build, by day and by tester. */
export const InstallStatistics = z
  .object({
    days: z
      .array(z.object({ date: z.iso.date(), installs: z.int(), downloads: z.int() }))
      .meta({ examples: [[{ date: '2026-11-20', installs: 26, downloads: 31 }]] }),
    testers: z.array(
      z.object({
        id: Id,
        email: text('mara@example.com'),
        count: z.int(),
        lastDate: Instant,
      }),
    ),
  })
  .meta({ id: 'InstallStatistics' })
export type InstallStatistics = z.infer<typeof InstallStatistics>
