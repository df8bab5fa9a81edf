import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Engine } from './engine.ts'
import { createFirstTables } from './migrations/001-first-tables.ts'
import { addBuildOfMails } from './migrations/002-build-of-mails.ts'
import { addBoundedWork } from './migrations/003-bounded-work.ts'
import { addAccountsAndLinks } from './migrations/004-accounts-and-links.ts'
import { addSharedAttempts } from './migrations/005-shared-attempts.ts'
import { createCrashTables } from './migrations/006-crashes.ts'
import { createTestTables } from './migrations/007-tests.ts'
import { addUnfinishedUploads } from './migrations/008-unfinished-uploads.ts'
import { addTestUpkeep } from './migrations/010-test-upkeep.ts'
import { addIndexesOfReferences } from './migrations/012-indexes-of-references.ts'
import { addAttemptsAndMovedGroups } from './migrations/013-attachments-and-judgement.ts'
import { addIndexesOfTestLists } from './migrations/015-indexes-of-test-lists.ts'
import { addIndexesOfFilters } from './migrations/016-indexes-of-filters.ts'
import { addSymbolsOfElf } from './migrations/017-symbols-of-elf.ts'
import { addBuildIdsOfWaits } from './migrations/018-build-ids-of-waits.ts'
import { addJudgementMarks } from './migrations/019-judgement-marks.ts'
import { addCrashFacts } from './migrations/020-crash-facts.ts'
import { addCommits } from './migrations/023-commits.ts'
import { addAgentWrites } from './migrations/024-agent-writes.ts'
import { addHooks } from './migrations/025-hooks.ts'
import { addLatestLinks } from './migrations/026-latest-links.ts'
import { addRetention } from './migrations/027-retention.ts'
import { addDeclaredReleases } from './migrations/028-declared-releases.ts'
import { addOwnPackages } from './migrations/029-own-packages.ts'
import { addTestSplits } from './migrations/030-test-splits.ts'
import { addTesterPages } from './migrations/031-tester-pages.ts'
import { addOverviews } from './migrations/032-overviews.ts'
import { addFeedback } from './migrations/033-feedback.ts'
import { addAlerts } from './migrations/034-alerts.ts'
import { addSymbolsVersion } from './migrations/035-symbols-version.ts'
import { addIndexOfSearchedTests } from './migrations/036-index-of-searched-tests.ts'
import { addRunDurations } from './migrations/037-run-durations.ts'
import { addDevices } from './migrations/038-devices.ts'
import { addIdentities } from './migrations/039-identities.ts'
import { addBuildOrder } from './migrations/040-build-order.ts'
import { addUnlistedTests } from './migrations/041-unlisted-tests.ts'
import { addChangeFeed } from './migrations/042-change-feed.ts'
import { addReleaseCommits } from './migrations/043-release-commits.ts'
import { addLogins } from './migrations/044-logins.ts'
import { addBuildNumbers } from './migrations/045-build-numbers.ts'
import { keepRunsOfResultsByTriggers } from './migrations/046-runs-of-results.ts'
import { addIndexOfBundles } from './migrations/047-index-of-bundles.ts'
import { addIndexOfBuildCommits } from './migrations/048-index-of-build-commits.ts'
import { addSameFailures } from './migrations/049-same-failures.ts'
import { addSourcesToKeys } from './migrations/050-sources-in-keys.ts'
import { addIndexOfCompletedRuns } from './migrations/051-index-of-completed-runs.ts'
import { addLastingCrashes } from './migrations/052-lasting-crashes.ts'
import { addFunctionsToKeys } from './migrations/053-functions-in-keys.ts'
import { addIndexOfNamedTests } from './migrations/054-index-of-named-tests.ts'
import type { Schema } from './schema.ts'

type Step = (db: Kysely<unknown>, engine: Engine) => Promise<void>

/** The migrations in order. A released migration is never edited; changes go into a new one. */
const steps: Record<string, Step> = {
  '001-first-tables': createFirstTables,
  '002-build-of-mails': addBuildOfMails,
  '003-bounded-work': addBoundedWork,
  '004-accounts-and-links': addAccountsAndLinks,
  '005-shared-attempts': addSharedAttempts,
  '006-crashes': createCrashTables,
  '007-tests': createTestTables,
  '008-unfinished-uploads': addUnfinishedUploads,
  '010-test-upkeep': addTestUpkeep,
  '012-indexes-of-references': addIndexesOfReferences,
  '013-attachments-and-judgement': addAttemptsAndMovedGroups,
  '015-indexes-of-test-lists': addIndexesOfTestLists,
  '016-indexes-of-filters': addIndexesOfFilters,
  '017-symbols-of-elf': addSymbolsOfElf,
  '018-build-ids-of-waits': addBuildIdsOfWaits,
  '019-judgement-marks': addJudgementMarks,
  '020-crash-facts': addCrashFacts,
  '023-commits': addCommits,
  '024-agent-writes': addAgentWrites,
  '025-hooks': addHooks,
  '026-latest-links': addLatestLinks,
  '027-retention': addRetention,
  '028-declared-releases': addDeclaredReleases,
  '029-own-packages': addOwnPackages,
  '030-test-splits': addTestSplits,
  '031-tester-pages': addTesterPages,
  '032-overviews': addOverviews,
  '033-feedback': addFeedback,
  '034-alerts': addAlerts,
  '035-symbols-version': addSymbolsVersion,
  '036-index-of-searched-tests': addIndexOfSearchedTests,
  '037-run-durations': addRunDurations,
  '038-devices': addDevices,
  '039-identities': addIdentities,
  '040-build-order': addBuildOrder,
  '041-unlisted-tests': addUnlistedTests,
  '042-change-feed': addChangeFeed,
  '043-release-commits': addReleaseCommits,
  '044-logins': addLogins,
  '045-build-numbers': addBuildNumbers,
  '046-runs-of-results': keepRunsOfResultsByTriggers,
  '047-index-of-bundles': addIndexOfBundles,
  '048-index-of-build-commits': addIndexOfBuildCommits,
  '049-same-failures': addSameFailures,
  '050-sources-in-keys': addSourcesToKeys,
  '051-index-of-completed-runs': addIndexOfCompletedRuns,
  '052-lasting-crashes': addLastingCrashes,
  '053-functions-in-keys': addFunctionsToKeys,
  '054-index-of-named-tests': addIndexOfNamedTests,
}

/**
 * Migrates the database to the current schema. Replicas may start concurrently: Kysely takes a lock on PostgreSQL, and
 * SQLite has only one process.
 */
export async function migrate(db: Kysely<Schema>, engine: Engine): Promise<void> {
  const migrator = createMigrator(db, engine)
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

/** Creates the migrator, which tests of an upgrade stop at the schema of a version before. */
export function createMigrator(db: Kysely<Schema>, engine: Engine): Migrator {
  const migrations: Record<string, Migration> = {}
  for (const [name, step] of Object.entries(steps)) {
    migrations[name] = { up: (db) => step(db, engine) }
  }
  return new Migrator({ db, provider: { getMigrations: async () => migrations } })
}
