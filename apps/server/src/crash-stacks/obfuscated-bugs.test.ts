/** Bugs of a program whose classes ProGuard has all moved to the root package, by every protocol. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { requireAt, requireKey } from '@fairlead/invariant'
import { createCrashApplication, deliver, listAllCrashes, waitUntilRead } from '../testing/crashes.ts'
import {
  obfuscatedPackage,
  type ObfuscatedBuild,
  parseTrace,
  readObfuscatedBugs,
  senders,
} from '../testing/obfuscated-bugs.ts'
import { measureBCubed } from '../testing/planted-bugs.ts'
import { startServer } from '../testing/start-server.ts'

describe('bugs behind -repackageclasses', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const { builds, bugCount } = readObfuscatedBugs()

  const toHeaders = ({ shortVersion, version }: ObfuscatedBuild) => ({
    'X-Service-Short-Version': shortVersion,
    'X-Service-Version': version,
  })
  const upload = async (alias: string, { mapping, shortVersion, version }: ObfuscatedBuild) => {
    const headers = {
      'X-Service-Application-Alias': alias,
      'X-Service-Package': obfuscatedPackage,
      'X-Service-Version-Name': shortVersion,
      'X-Service-Version-Code': version,
    }
    const answer = await server.call('POST', '/v2/symbolsFiles', { headers, body: mapping })
    assert.equal(answer.status, 201, answer.text)
  }
  /** Sends all crashes of these builds, and returns the bug of each by its id. */
  const sendAll = async (
    app: Awaited<ReturnType<typeof createCrashApplication>>,
    protocol: string,
    sent: ObfuscatedBuild[],
  ) => {
    const bugs = new Map<string, number>()
    let number = 0
    for (const build of sent) {
      for (const { bug, trace } of build.crashes) {
        const { id, body } = requireKey(new Map(Object.entries(senders)), protocol)({ build, trace, number: ++number })
        if (protocol === 'raw') {
          const headers = { ...toHeaders(build), 'X-Service-Crash-Key': app.key }
          const answer = await server.call('POST', `/v1/applications/${app.id}/crashes`, { token: null, headers, body })
          assert.equal(answer.status, 202, answer.text)
          bugs.set(answer.json.id, bug)
        } else {
          const answer = await deliver(server, app, protocol, body)
          assert.equal(answer.status, 200, answer.text)
          bugs.set(id, bug)
        }
      }
    }
    await waitUntilRead(server, app.id)
    return bugs
  }
  const measure = async (id: number, bugs: ReadonlyMap<string, number>) => {
    const { json: groups } = await server.call('GET', `/v1/applications/${id}/crashGroups`)
    const items: { label: unknown; cluster: unknown }[] = []
    for (const group of groups) {
      const { json: crashes } = await server.call('GET', `/v1/crashGroups/${group.id}/crashes`)
      for (const { sourceId } of crashes) items.push({ label: requireKey(bugs, sourceId), cluster: group.id })
    }
    assert.equal(items.length, bugs.size)
    return { f1: measureBCubed(items), groups }
  }

  for (const protocol of Object.keys(senders)) {
    for (const order of ['first', 'last']) {
      it(`are one group each by ${protocol}, with symbols ${order}`, async () => {
        const alias = `${protocol}-${order}`
        const app = await createCrashApplication(server, alias)
        if (order === 'first') for (const build of builds) await upload(alias, build)
        const bugs = await sendAll(app, protocol, builds)
        if (order === 'last') for (const build of builds) await upload(alias, build)
        await waitUntilRead(server, app.id)
        const { f1, groups } = await measure(app.id, bugs)
        assert.ok(f1 >= 0.99, `BCubed F1 is ${f1}, ${groups.length} groups of ${bugCount} bugs`)
        for (const { culprit } of groups) assert.match(culprit, /^org\.tarn\.shop\./)
      })
    }

    it(`are one group each by ${protocol}, without symbols, in one build`, async () => {
      const app = await createCrashApplication(server, `${protocol}-none`)
      const bugs = await sendAll(app, protocol, builds.slice(0, 1))
      const { groups } = await measure(app.id, bugs)
      for (const { exceptionTypes, crashCount } of groups) {
        assert.ok(exceptionTypes.length > 0 && crashCount > 0)
      }
      const names = new Set(groups.flatMap((group: { exceptionTypes: string[] }) => group.exceptionTypes))
      assert.ok(names.has('g') && names.has('h'), 'exceptions without a package have their bare names')
    })
  }

  it('are read by symbolicate as by intake, down to the names and lines of the sources', async () => {
    const app = await createCrashApplication(server, 'alike')
    const build = requireAt(builds, 1)
    await upload('alike', build)
    const bodies = build.crashes.map(({ trace }, number) => {
      return requireKey(new Map(Object.entries(senders)), 'raw')({ build, trace, number }).body
    })
    const ids: string[] = []
    for (const body of bodies) {
      const headers = { ...toHeaders(build), 'X-Service-Crash-Key': app.key }
      const sent = await server.call('POST', `/v1/applications/${app.id}/crashes`, { token: null, headers, body })
      ids.push(sent.json.id)
    }
    await waitUntilRead(server, app.id)
    const crashes = new Map((await listAllCrashes(server, app.id)).map((crash) => [crash.sourceId, crash]))
    for (const [place, { trace, source }] of build.crashes.entries()) {
      const crash = requireKey(crashes, requireAt(ids, place))
      const query = `shortVersion=${build.shortVersion}&version=${build.version}`
      const path = `/v1/applications/${app.id}/symbolicate?${query}`
      const symbolicated = await server.call('POST', path, { body: requireAt(bodies, place) })
      assert.equal(symbolicated.status, 200, symbolicated.text)
      assert.deepEqual(toLines(crash.frames), toLines(symbolicated.json.threads.at(-1).frames), trace)
      const own: Frame[] = crash.frames.filter(({ function: name }: Frame) => isOwn(name))
      // A cause leaves out the frames that it shares with the exception around it.
      const truth = requireAt(parseTrace(source).toReversed(), 0)
        .frames.map(({ className, methodName, line }) => `${className}.${methodName}:${line}`)
        .filter(isOwn)
        .slice(0, own.length)
      assert.ok(own.length > 0, trace)
      for (const [index, frame] of own.entries()) {
        // ProGuard gives a lambda the name and the lines of the method around it, so either may be meant.
        const named = [frame, ...frame.alternatives.flat()].map(({ function: name, line }) => `${name}:${line}`)
        assert.ok(named.includes(requireAt(truth, index)), `${named.join(' or ')} is not ${truth[index]} in ${trace}`)
      }
    }
  })
})

interface Frame {
  function: string
  line: number | null
  alternatives: { function: string; line: number | null }[][]
}

function isOwn(name: string): boolean {
  return name.startsWith('org.tarn.') || name.startsWith('okhttp3.')
}

function toLines(frames: { function: string; line: number | null }[]): string[] {
  return frames.map((frame) => `${frame.function}:${frame.line}`)
}
