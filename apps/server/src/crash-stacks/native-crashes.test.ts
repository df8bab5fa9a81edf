/** Sends the shared native crashes, with their symbols first and last, and compares both with the truth. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Crash, MissingSymbols } from '@fairlead/contract'
import { type CrashApplication, createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { findNativeFixtures } from '../testing/fixtures.ts'
import { startServer } from '../testing/start-server.ts'

interface TruthEvent {
  file: string
  gunzip?: boolean
  protocol: string
  frames: {
    imageOffset?: string | null
    buildId?: string | null
    expect?: [name: string, mangled: string, file: string | null, line: number, column: number][] | null
  }[]
}

const fixtures = findNativeFixtures()

describe('native crashes', { skip: fixtures === undefined }, async () => {
  if (fixtures === undefined) return
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const readJson = (file: string) => JSON.parse(readFileSync(join(fixtures, file), 'utf8'))
  const files: { file: string }[] = readJson('elf-truth.json').images
  const truth: { events: TruthEvent[] } = readJson('events-truth.json')
  const events = truth.events.filter(({ file }) => /tombstone|sentry-native/.test(file))

  const uploadAll = async (alias: string, names: string[]) => {
    for (const file of names) {
      const headers = { 'X-Service-Application-Alias': alias }
      const body = new Uint8Array(readFileSync(join(fixtures, file)))
      const answer = await server.call('POST', '/v2/symbolsFiles', { headers, body })
      assert.equal(answer.status, 201, answer.text)
    }
  }
  const sendAll = async (application: CrashApplication) => {
    for (const { file, gunzip, protocol } of events) {
      const bytes = readFileSync(join(fixtures, file))
      const answer = await deliver(server, application, protocol, gunzip === true ? gunzipSync(bytes) : bytes)
      assert.ok(answer.status === 200 || answer.status === 202, answer.text)
    }
    await waitUntilRead(server, application.id)
  }
  /** The crashes by their ids, with their groups as readable keys. */
  const listCrashes = async ({ id }: CrashApplication) => {
    const { json: groups } = await server.call('GET', `/v1/applications/${id}/crashGroups`)
    const crashes = new Map<string, { crash: Crash; key: string; count: number }>()
    for (const group of groups) {
      const { json: listed } = await server.call('GET', `/v1/crashGroups/${group.id}/crashes`)
      for (const one of listed) {
        const { json } = await server.call('GET', `/v1/crashes/${one.id}`)
        const key = JSON.stringify([group.key, group.title, group.culprit])
        crashes.set(one.sourceId, { crash: Crash.parse(json), key, count: group.crashCount })
      }
    }
    return crashes
  }

  const first = await createCrashApplication(server, 'symbols-first')
  const last = await createCrashApplication(server, 'symbols-last')
  const names = files.map(({ file }) => file)

  it('have the frames of llvm-symbolizer when the symbols are there', async () => {
    await uploadAll('symbols-first', names)
    await sendAll(first)
    const crashes = await listCrashes(first)
    assert.equal(crashes.size, events.length)
    const expectedOf = new Map(events.map((event) => [toPlaces(event), event]))
    let compared = 0
    for (const { crash } of crashes.values()) {
      const places = crash.frames.flatMap(({ reported }) => (reported ? [Number(reported.imageOffset)] : []))
      const event = expectedOf.get(JSON.stringify(places))
      if (!event) continue
      let at = 0
      // The addresses of Thumb code in these events are odd, so the truth cannot tell which side of a call is meant.
      const isThumb = event.file.endsWith('-arm.envelope')
      for (const [index, { expect }] of event.frames.entries()) {
        if (isThumb && index > 0) break
        const own = crash.frames.slice(at, at + Math.max(1, expect?.length ?? 0))
        at += own.length
        if (!expect || expect.length === 0) continue
        assert.deepEqual(
          own.map(({ function: name, file, line, column }) => [name ?? '', basename(file ?? ''), line, column]),
          expect.map(([name, , file, line, column]) => {
            return [name, basename(file ?? ''), file === null ? null : line, column === 0 ? null : column]
          }),
          event.file,
        )
        compared++
      }
    }
    assert.ok(compared > 100, String(compared))
  })

  it('wait for symbols, which are listed as missing with their build ids', async () => {
    await sendAll(last)
    const { json } = await server.call('GET', `/v1/applications/${last.id}/missingSymbols`)
    const missing = MissingSymbols.array().parse(json)
    const atlas = missing.find(({ codeId }) => codeId === '9c7fff405dc70e313eb5759c061f33993aceaa5c')
    assert.equal(atlas?.kind, 'elf')
    assert.equal(atlas.uuid, '40ff7f9c-c75d-310e-3eb5-759c061f3399')
    assert.equal(atlas.name, 'libatlas.so')
  })

  it('have the same frames, groups and counters when symbols come late, the poorer ones first', async () => {
    await uploadAll('symbols-last', names.toReversed())
    await waitUntilRead(server, last.id)
    const [early, late] = [await listCrashes(first), await listCrashes(last)]
    assert.deepEqual([...late.keys()].toSorted(), [...early.keys()].toSorted())
    for (const [sourceId, { crash, key, count }] of early) {
      const other = late.get(sourceId)
      assert.ok(other)
      assert.deepEqual(other.crash.frames, crash.frames)
      assert.deepEqual(other.crash.missingSymbols, crash.missingSymbols)
      assert.equal(other.key, key)
      assert.equal(other.count, count)
    }
  })
})

function toPlaces({ frames }: TruthEvent): string {
  return JSON.stringify(frames.map(({ imageOffset }) => Number(imageOffset ?? null)))
}
