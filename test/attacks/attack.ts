/** The worker thread of `startAttacks`. */
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { writeApk } from '@fairlead/binary/fixture'
import { type Client, createClient } from './client.ts'
import {
  writeHostileApk,
  writeHostileDsyms,
  writeHostileIpa,
  writeHostileNotes,
  writeHostileReports,
} from './hostile-files.ts'
import type { AttackedWorkspace, AttackMessage, AttackOptions, Count } from './start-attacks.ts'
import { readJson } from '../../scripts/read-json.ts'

// Only `startAttacks` starts this thread, and it gives these options.
const { url, address, workspace, inflatedMegabytes }: AttackOptions = workerData
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
const tell = (message: AttackMessage) => parentPort?.postMessage(message)
tell(await attack(createClient(url, address), workspace, stopping.signal))

/** Repeats every attack until the signal, and counts the answers of each. */
async function attack(client: Client, own: AttackedWorkspace, signal: AbortSignal): Promise<Record<string, Count>> {
  const { android, ios, buildId, installPath } = own
  const counts: Record<string, Count> = {}
  let isTold = false
  const send = (path: string, options: object = {}) => client.send(path, { token: own.token, ...options })
  const upload = (path: string, alias: string, body: Buffer) =>
    send(path, { method: 'POST', headers: { 'X-Service-Application-Alias': alias }, body })
  const repeat = async (name: string, once: (round: number) => Promise<{ status: number } | undefined>) => {
    const count = (counts[name] ??= { answered: 0, failed: 0 })
    for (let round = 0; !signal.aborted; round++) {
      const answer = await once(round).catch(() => undefined)
      // A refused connection is tried again after a pause, so that the attack does not spend all CPU time on refusals.
      if (answer === undefined) await setTimeout(10)
      else count.answered++
      if (!isTold && Object.values(counts).every(({ answered }) => answered > 0)) {
        isTold = true
        tell('answered')
      }
      if (answer?.status === 500) count.failed++
    }
  }

  const reports = writeHostileReports()
  const ipa = writeHostileIpa(inflatedMegabytes)
  const dsyms = writeHostileDsyms(inflatedMegabytes)
  const apks = [2, 3, 4, 5].map(writeHostileApk)
  const searched = await upload(
    '/v2/builds',
    'android',
    writeApk({ packageName: 'com.example.attack', versionCode: 9 }),
  )
  const { id: searchedId } = readJson<{ id: number }>(searched.text)
  const setNotes = (id: number, releaseNotes: string) =>
    send(`/v2/builds/${id}`, { method: 'PATCH', json: { releaseNotes } })
  await setNotes(searchedId, 'a'.repeat(65_000))
  await setNotes(buildId, writeHostileNotes())

  const reportTo = `/v1/applications/${ios}/symbolicate`
  const running = [0, 1, 2].map((offset) =>
    repeat('crash reports', (round) =>
      send(reportTo, { method: 'POST', body: reports[(round + offset) % reports.length] }),
    ),
  )
  running.push(
    repeat('abandoned crash reports', async (round) => {
      const hangUp = AbortSignal.timeout(50 + (round % 5) * 100)
      await send(reportTo, { method: 'POST', body: reports[round % reports.length], signal: hangUp }).catch(() => {})
      return { status: 499 }
    }),
    ...[1, 2, 3, 4].map(() => repeat('notes', () => client.send(installPath))),
    repeat('permissions', (round) => upload('/v2/builds', 'android', apks[round % apks.length] ?? Buffer.alloc(0))),
    repeat('lists', () => send(`/v1/applications/${android}/builds?limit=200`)),
    ...[1, 2].map(() => repeat('searches', () => send(`/v1/applications/${android}/builds?q=${'a'.repeat(190)}b`))),
    ...[1, 2, 3, 4].map(() => repeat('inflating IPAs', () => upload('/v2/builds', 'ios', ipa))),
    ...[1, 2].map(() => repeat('inflating dSYMs', () => upload('/v2/symbolsFiles', 'ios', dsyms))),
    ...[1, 2].map(() => repeat('odd paths', () => client.send('/assets/.'))),
    holdConnections(counts, signal),
  )
  await Promise.all(running)
  return counts
}

/** Holds hundreds of connections without an account, which send their body one byte at a time. */
async function holdConnections(counts: Record<string, Count>, signal: AbortSignal): Promise<void> {
  const count = (counts['slow bodies'] ??= { answered: 0, failed: 0 })
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  for (let index = 0; index < 600; index++) {
    const socket = connect({ port: Number(port), host: hostname, localAddress: `127.0.0.${3 + (index % 3)}` })
    socket.on('error', () => {}).once('connect', () => count.answered++)
    socket.write(
      'POST /v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n',
    )
    sockets.push(socket)
  }
  while (!signal.aborted) {
    for (const socket of sockets) if (socket.writable) socket.write(' ')
    await setTimeout(500, undefined, { signal }).catch(() => {})
  }
  for (const socket of sockets) socket.destroy()
}
