/** The recorded histories, and what the plan says of them. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Test } from '@fairlead/contract'
import type { TestServer } from '../../apps/server/src/testing/start-server.ts'
import type { RecordedRun, Recording } from './recording.ts'

const here = import.meta.dirname
export const readFile = (path: string) => JSON.parse(readFileSync(join(here, path), 'utf8'))

/** The class of each failure by the name of its test. */
export type Classes = Record<string, string>

export const plan: { classes: Record<string, Classes> } = readFile('suites/plan.json')
const quarantined = 'prints the receipt'

/** What each framework wrote, by the name of the framework. */
export function readRecordings(): Recording[] {
  const files = globSync('*.json.gz', { cwd: join(here, 'recordings') }).toSorted()
  return files.map((file) => JSON.parse(gunzipSync(readFileSync(join(here, 'recordings', file))).toString()))
}

/** The files that a run wrote in a format. */
export function listFiles({ formats }: RecordedRun, format: string): { name: string; data: Buffer }[] {
  return Object.entries(formats[format] ?? {}).map(([name, kept]) => ({
    name,
    data: typeof kept === 'string' ? Buffer.from(kept) : Buffer.from(kept.base64, 'base64'),
  }))
}

/** Quarantines the test that the plan names, in all environments in which it ran. */
export async function quarantine(server: TestServer, applicationId: number): Promise<void> {
  const { json: tests } = await server.call('GET', `/v1/applications/${applicationId}/tests`)
  const same = Test.array()
    .parse(tests)
    .filter((test) => toPlanned(test) === quarantined)
  assert.ok(same.length > 0, `no test is "${quarantined}"`)
  for (const { id: testId } of same) {
    const json = { testId, reason: 'the printer is replaced next week' }
    const { status, text } = await server.call('POST', `/v1/applications/${applicationId}/quarantine`, { json })
    assert.equal(status, 201, text)
  }
}

/** The names of the plan, and those of all tests that a framework can add. */
const plannedNames = new Set([
  ...Object.values(plan.classes).flatMap((classes) => Object.keys(classes)),
  'adds a line',
  'loads the map',
  'goes to sleep',
  'survives the night',
  'wakes up',
  'reads the rates',
  'keeps a copy',
  'fits the phone',
  'opens the bank',
])
const toLetters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The name in the plan of a test whose framework spells it in its own way. */
export function toPlanned({ name }: Pick<Test, 'name'>): string {
  const letters = toLetters(name)
  return [...plannedNames].find((planned) => letters.endsWith(toLetters(planned))) ?? name
}
