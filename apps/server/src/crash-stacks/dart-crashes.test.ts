/** Sends the shared crashes of Flutter with their symbols first and last, and compares both with the truth. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Crash, MissingSymbols } from '@fairlead/contract'
import { type CrashApplication, createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { findNativeFixtures } from '../testing/fixtures.ts'
import { startServer } from '../testing/start-server.ts'

interface TruthEvent {
  file: string
  protocol: string
  sourceId: string
  exceptionTypes: string[] | null
  frames: { imageOffset: string; dartExpect: [name: string, file: string, line: number, column: number][] }[]
}

const fixtures = findNativeFixtures()

describe('crashes of Flutter', { skip: fixtures === undefined }, async () => {
  if (fixtures === undefined) return
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const truth: { events: TruthEvent[] } = JSON.parse(readFileSync(join(fixtures, 'events-truth.json'), 'utf8'))
  const events = truth.events.filter(({ file }) => file.includes('sentry-dart'))
  const armDebugId = '8baeac1d-342a-3d6d-c627-1a742f5d5210'

  const upload = async (alias: string, body: Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) => {
    const headers = { 'X-Service-Application-Alias': alias, ...more }
    const answer = await server.call('POST', '/v2/symbolsFiles', { headers, body })
    assert.equal(answer.status, 201, answer.text)
  }
  const uploadSymbols = async (alias: string) => {
    for (const name of ['arm', 'arm64']) {
      await upload(
        alias,
        new Uint8Array(gunzipSync(readFileSync(join(fixtures, `dart/app.android-${name}.symbols.gz`)))),
      )
    }
  }
  const uploadMap = (alias: string) => {
    const map = new Uint8Array(readFileSync(join(fixtures, 'dart/obfuscation-map.json')))
    return upload(alias, map, { 'X-Service-Debug-Id': armDebugId })
  }
  const sendAll = async (application: CrashApplication) => {
    for (const { file, protocol } of events) {
      const answer = await deliver(server, application, protocol, readFileSync(join(fixtures, file)))
      assert.ok(answer.status === 200 || answer.status === 202, answer.text)
    }
    await waitUntilRead(server, application.id)
  }
  const listCrashes = async ({ id }: CrashApplication) => {
    const { json: groups } = await server.call('GET', `/v1/applications/${id}/crashGroups`)
    const crashes = new Map<string, { crash: Crash; key: string; count: number; types: string[] }>()
    for (const group of groups) {
      const { json: listed } = await server.call('GET', `/v1/crashGroups/${group.id}/crashes`)
      for (const one of listed) {
        const { json } = await server.call('GET', `/v1/crashes/${one.id}`)
        const key = JSON.stringify([group.key, group.title, group.culprit])
        crashes.set(one.sourceId, {
          crash: Crash.parse(json),
          key,
          count: group.crashCount,
          types: group.exceptionTypes,
        })
      }
    }
    return crashes
  }
  const listMissing = async ({ id }: CrashApplication) => {
    const { json } = await server.call('GET', `/v1/applications/${id}/missingSymbols`)
    return MissingSymbols.array().parse(json)
  }

  const first = await createCrashApplication(server, 'symbols-first')
  const last = await createCrashApplication(server, 'symbols-last')

  it('have the frames of Flutter and the class of the source', async () => {
    await uploadSymbols('symbols-first')
    await uploadMap('symbols-first')
    await sendAll(first)
    const crashes = await listCrashes(first)
    for (const { sourceId, frames, exceptionTypes } of events) {
      const found = crashes.get(sourceId)
      assert.ok(found)
      assert.deepEqual(
        found.crash.exceptions.map(({ type }) => type),
        exceptionTypes ?? ['ab'],
      )
      assert.deepEqual(
        found.crash.frames.map(({ function: name, file, line, column }) => [name, file, line, column]),
        frames.flatMap(({ dartExpect }) => dartExpect),
      )
      assert.deepEqual(
        found.crash.frames.flatMap(({ reported }) => (reported ? [reported.imageOffset] : [])).map(Number),
        frames.map(({ imageOffset }) => Number(imageOffset)),
      )
      for (const { file, isApp } of found.crash.frames) {
        assert.equal(isApp, !/^dart:|^package:flutter\//.test(file ?? ''))
      }
    }
    assert.deepEqual(await listMissing(first), [])
  })

  it('wait for symbols and never for an obfuscation map', async () => {
    await sendAll(last)
    assert.deepEqual(
      (await listMissing(last)).map(({ kind, uuid, codeId }) => [kind, uuid, codeId]),
      [
        ['elf', '1c13cc07-03a8-24c1-e932-68ce19322737', '07cc131ca803c124e93268ce19322737'],
        ['elf', armDebugId, '1dacae8b2a346d3dc6271a742f5d5210'],
      ],
    )
  })

  it('have the same frames, groups and counters when symbols and maps come late', async () => {
    await uploadMap('symbols-last')
    await waitUntilRead(server, last.id)
    await uploadSymbols('symbols-last')
    await waitUntilRead(server, last.id)
    const [early, late] = [await listCrashes(first), await listCrashes(last)]
    for (const [sourceId, { crash, key, count, types }] of early) {
      const other = late.get(sourceId)
      assert.ok(other)
      assert.deepEqual(other.crash.frames, crash.frames)
      assert.deepEqual(other.crash.exceptions, crash.exceptions)
      assert.deepEqual([other.key, other.count, other.types], [key, count, types])
    }
    assert.deepEqual(await listMissing(last), [])
  })
})
