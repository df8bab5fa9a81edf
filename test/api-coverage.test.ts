import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { auditResources } from '../apps/dashboard/src/audit/resources.ts'
import { readAnswer } from '../scripts/read-json.ts'
import { callEverything, toPattern } from './client/call-everything.ts'
import { openTemporaryFolder, startServerProcess } from './processes/server-process.ts'

interface Operation {
  method: string
  path: string
  /** The action in the audit log. */
  action: string | undefined
}

const cli = join(import.meta.dirname, '../apps/cli/src')

/** Writes that the audit log does not have under a name of their own, and why. */
const unrecorded: [pattern: RegExp, reason: string][] = [
  [/ \/v1\/setup$/, 'makes the first account and workspace; there is no log before them'],
  [/ \/v1\/session\/link$/, 'records identity.link and session.start in each workspace of the account'],
  [/ \/v1\/server\/accounts\//, 'records account.disable or account.enable in each workspace of the account'],
  [/ \/v1\/(passwordResets|account\/identities|twoFactor)$/, 'begins something whose end is recorded'],
  [/\/(preview|symbolicate)$/, 'changes nothing'],
  [/ \/v1\/loginRequests$/, 'begins something whose end is recorded'],
  [/ \/v1\/loginRequests\/poll$/, 'records apiToken.create in the workspace that the person chose'],
  [/ \/v1\/loginRequests\/find$/, 'changes nothing'],
  [/POST \/v1\/applications\/\{applicationId\}\/crashes$/, 'apps send crashes all the time'],
  [/DELETE \/v2\/uploads\//, 'discards what nobody has seen; a finished upload is recorded'],
]

/** Operations without a command, and why. */
const withoutCommand: [pattern: RegExp, reason: string][] = [
  [/ \/v1\/setup$/, 'is done once, in a browser'],
  [/ \/v1\/(session|sessions|passwordResets|account|twoFactor)(\/|$)/, 'needs a person in a browser, and no token'],
  [/ \/v1\/loginRequests\/(find|approve|refuse)$/, 'needs a person in a browser, and no token'],
  [/ \/v1\/invitations\/(preview|accept)$/, 'needs a person in a browser, and no token'],
  [/POST \/v1\/workspaces$/, 'needs a person in a browser, and no token'],
  [/ \/v1\/server\//, 'belongs to an account of the server, and to no token; operators have fairlead-server'],
  [/GET \/v1\/events$/, 'fairlead events follows it, through a function that yields events instead of an answer'],
  [/ \/v2\/uploads/, 'builds upload sends large files in parts by it, through its own module'],
  [/HEAD /, 'is the GET without its content'],
  [/ \/v1\/(auditEvents|mails|mailDelivery|baseUrl)/, 'is looked at in the dashboard; scripts use fairlead api'],
  [/GET .*\/(branches|installs|installLink|comparison|commits)$/, 'is looked at in the dashboard'],
  [
    /GET \/v1\/(applicationOverviews|distributionGroups\/\{|symbolsFiles\/\{)/,
    'another command shows the same by name',
  ],
  [/DELETE \/v1\/symbolsFiles\//, 'is looked at in the dashboard; scripts use fairlead api'],
  [/GET \/v1\/testers\/\{testerId\}\/devices$/, 'devices list has the tester of each'],
  [
    / \/v1\/(tests|testRuns|testFailures|testAttachments|applications\/[^/]+\/(owners|badge|failureGroups))/,
    'is looked at in the dashboard; scripts use fairlead api',
  ],
  [
    / \/v1\/(crashes|crashGroups|applications\/[^/]+\/(crash|releases|discardedGroups|stability|missing))/,
    'is looked at in the dashboard; scripts use fairlead api',
  ],
]

describe('every operation of the API', async () => {
  await using folder = await openTemporaryFolder()
  await using server = await startServerProcess({ dataDir: folder.path })
  const operations = await describeOperations(server.url)
  const called = await callEverything()

  it('that writes is in the audit log, or says why not', () => {
    const missing = operations.filter(
      ({ method, action }) => method !== 'GET' && method !== 'HEAD' && action === undefined,
    )
    assert.deepEqual(listUnexplained(missing, unrecorded), [])
  })

  it('that writes is of a resource that the audit log of the dashboard can be filtered by', () => {
    const named = new Set(auditResources.map(({ value }) => value))
    const used = new Set(operations.flatMap(({ action }) => action?.split('.')[0] ?? []))
    assert.deepEqual([...used].filter((resource) => !named.has(resource)).toSorted(), [])
  })

  it('has a command, or says why not', async () => {
    const used = await listFunctionsOfCli()
    const callsOfCli = [...called].flatMap(([name, calls]) => (used.has(name) ? calls : []))
    const missing = operations.filter(
      ({ method, path }) => !callsOfCli.some((call) => toPattern(`${method} ${path}`).test(call)),
    )
    assert.deepEqual(listUnexplained(missing, withoutCommand), [])
  })
})

async function describeOperations(url: string): Promise<Operation[]> {
  const { paths } = await readAnswer<{ paths: Record<string, Record<string, { 'x-audit-action'?: string }>> }>(
    await fetch(`${url}/openapi.json`),
  )
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      action: operation['x-audit-action'],
    })),
  )
}

/** Returns the operations that no reason covers, and the reasons that cover none. */
function listUnexplained(missing: Operation[], reasons: [pattern: RegExp, reason: string][]): string[] {
  const names = missing.map(({ method, path }) => `${method} ${path}`)
  return [
    ...names.filter((name) => !reasons.some(([pattern]) => pattern.test(name))),
    ...reasons
      .filter(([pattern]) => !names.some((name) => pattern.test(name)))
      .map(([pattern]) => `unused: ${pattern}`),
  ]
}

/** Finds the functions of the client that the source of the command line calls. */
async function listFunctionsOfCli(): Promise<Set<string>> {
  const used = new Set<string>()
  for await (const file of glob('**/*.ts', { cwd: cli })) {
    const source = await readFile(join(cli, file), 'utf8')
    for (const [, name = ''] of source.matchAll(/\bclient\s*\.(\w+\s*\.\w+)/g)) used.add(name.replaceAll(/\s/g, ''))
  }
  return used
}
