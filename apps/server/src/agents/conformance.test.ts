/**
 * Runs the protocol's own conformance suite, whole, in each revision that the server speaks, and compares what passes
 * and what does not with docs/agents-conformance.md.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { startServer } from '../testing/start-server.ts'
import { startTokenProxy } from '../testing/token-proxy.ts'

const command = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
const page = new URL('../../../../docs/agents-conformance.md', import.meta.url)
const revisions = ['2025-06-18', '2025-11-25', '2026-07-28']
const Checks = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }))

/** The texts by which the suite reports that a server has no such tool, no such method, or nothing to try. */
const isMissing = {
  'no sample tool': [
    /Tool test_\w+ not found|Tool 'json_schema_2020_12_tool' not found/,
    /does not list the diagnostic tool|no tool with x-mcp-header/,
    /could not get initial InputRequiredResult|instead of re-requesting|Expected InputRequiredResult/,
  ],
  'no such feature': [/Method not found|-32601|Error data\.uri is undefined/],
  'no session': [/^$|Server did not send (priming event|retry field)/],
  'no subscriptions': [/subscriptions/],
} as const

describe('the conformance suite of the protocol', async () => {
  const proxy = await startTokenProxy()
  // The suite sends the name and the origin that it calls, as a browser would.
  const server = await startServer({ FAIRLEAD_BASE_URL: proxy.url })
  proxy.target = server
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-conformance-'))
  after(async () => {
    await server[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const { passing, others } = readPage(await readFile(page, 'utf8'))

  for (const revision of revisions) {
    it(`passes in revision ${revision}, but for what the documentation names`, async () => {
      const results = await runSuite(`${proxy.url}/mcp`, revision, join(folder, revision))
      const passed = [...results].filter(([, checks]) => checks.every(({ status }) => !isBad(status)))
      assert.deepEqual(
        passed.map(([scenario]) => scenario).toSorted(),
        passing
          .filter((row) => row.revisions.includes(revision))
          .map(({ scenario }) => scenario)
          .toSorted(),
      )
      const failed = [...results].flatMap(([scenario, checks]) =>
        checks.filter(({ status }) => isBad(status)).map((check) => ({ scenario, ...check })),
      )
      for (const { scenario, id, errorMessage = '' } of failed) {
        const row = others.find((one) => one.scenario === scenario && one.checks.includes(id))
        assert.ok(row, `${scenario} ${id} is not in the documentation: ${errorMessage}`)
        assert.ok(
          isMissing[row.why].some((reason) => reason.test(errorMessage)),
          `${scenario} ${id}: ${errorMessage}`,
        )
      }
      const expected = others.filter((row) => row.revisions.includes(revision)).flatMap(({ checks }) => checks)
      assert.deepEqual(failed.map(({ id }) => id).toSorted(), expected.toSorted())
    })
  }
})

function isBad(status: string): boolean {
  return status === 'FAILURE' || status === 'WARNING'
}

/** Returns the checks of each scenario. The suite ends with an error, since some do not pass. */
async function runSuite(url: string, revision: string, folder: string): Promise<Map<string, z.infer<typeof Checks>>> {
  const parameters = ['server', '--url', url, '--suite', 'all', '--spec-version', revision, '-o', folder]
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, [command, ...parameters], { maxBuffer: 2 ** 24 }, (_error, stdout, stderr) =>
      done(stdout + stderr),
    )
  })
  assert.match(output, /=== SUMMARY ===/)
  const results = new Map<string, z.infer<typeof Checks>>()
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name
    results.set(scenario, Checks.parse(JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8'))))
  }
  return results
}

/** Reads the two tables of the page: scenarios that pass, and checks that do not with the reason. */
function readPage(text: string) {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  const read = rows.map((line) => {
    const [scenario = '', years = '', checks = '', why = ''] = line.slice(1, -1).split('|')
    return {
      scenario: scenario.replaceAll('`', '').trim(),
      revisions: revisions.filter((revision) => years.includes(revision)),
      checks: [...checks.matchAll(/`([^`]+)`/g)].map(([, id = '']) => id),
      why: why.trim(),
    }
  })
  const isReason = (why: string): why is keyof typeof isMissing => why in isMissing
  return {
    passing: read.filter(({ checks }) => checks.length === 0),
    others: read.flatMap(({ why, ...row }) => {
      if (row.checks.length === 0) return []
      assert.ok(isReason(why), `${row.scenario} has no known reason: ${why}`)
      return [{ ...row, why }]
    }),
  }
}
