import { RequestError, type UploadProgress } from '@fairlead/client'
import type { Application, Build } from '@fairlead/contract'
import { useSyncExternalStore } from 'react'
import { client, queryClient } from '../api/client.ts'
import { createSpeedometer } from './speedometer.ts'
import { createQueue } from './upload-queue.ts'

type Outcome =
  | { kind: 'waiting' }
  | { kind: 'running' }
  /** `doneAt` in epoch milliseconds. */
  | { kind: 'done'; build: Build; doneAt: number }
  | { kind: 'failed'; error: Error }

/** The state of one upload, from waiting to its build or its failure. */
export interface BuildUploadState {
  id: number
  file: File
  /** Null for a file that its application is created from. */
  application: Pick<Application, 'id' | 'alias' | 'name'> | null
  progress: UploadProgress
  /** Bytes per second, averaged over the last seconds. */
  speed: number
  outcome: Outcome
  abort: AbortController
}

/** More uploads at once would share the same bandwidth, and delay the first build until all are nearly done. */
const uploadsAtOnce = 3

// Uploads go on when the user leaves the page, so their state is kept outside of React.
let uploads: BuildUploadState[] = []
let lastId = 0
const listeners = new Set<() => void>()
const enqueue = createQueue(uploadsAtOnce)

export function useUploads(): BuildUploadState[] {
  return useSyncExternalStore(subscribe, () => uploads)
}

/** The uploads at this moment, for code outside of components. */
export function listUploads(): readonly BuildUploadState[] {
  return uploads
}

/** Starts uploads, three at a time; the tray shows how they go. */
export function startUploads(application: BuildUploadState['application'], files: readonly File[]): void {
  const started = files.map((file): BuildUploadState => ({
    id: ++lastId,
    file,
    application,
    progress: { sent: 0, total: file.size },
    speed: 0,
    outcome: { kind: 'waiting' },
    abort: new AbortController(),
  }))
  publish([...uploads, ...started])
  for (const { id } of started) enqueue(() => run(id))
}

/** Tries an upload that failed once more. */
export function retryUpload(id: number): void {
  change(id, { outcome: { kind: 'waiting' }, abort: new AbortController(), speed: 0 })
  enqueue(() => run(id))
}

/** Tries a failed upload once more, to the application that the file names, which is created if there is none. */
export function uploadToOwnApplication(id: number): void {
  change(id, { application: null })
  retryUpload(id)
}

/** Removes an upload from the tray, and cancels it if it is waiting or running. */
export function dismissUpload(id: number): void {
  findUpload(id)?.abort.abort()
  publish(uploads.filter((upload) => upload.id !== id))
}

/** Removes all finished and failed uploads from the tray. */
export function clearUploads(): void {
  publish(uploads.filter(({ outcome }) => isUnderWay(outcome)))
}

export function isUnderWay({ kind }: Outcome): boolean {
  return kind === 'waiting' || kind === 'running'
}

async function run(id: number): Promise<void> {
  const upload = findUpload(id)
  // The upload was cancelled while it waited.
  if (!upload) return
  const { application, file, abort } = upload
  const measureSpeed = createSpeedometer()
  change(id, { outcome: { kind: 'running' }, progress: { sent: 0, total: file.size } })
  try {
    const build = await client.builds.upload({
      alias: application?.alias ?? null,
      file,
      fileName: file.name,
      signal: abort.signal,
      onProgress: ({ sent, total }) => change(id, { progress: { sent, total }, speed: measureSpeed(sent) }),
    })
    change(id, { outcome: { kind: 'done', build, doneAt: Date.now() } })
    void queryClient.invalidateQueries({ queryKey: ['applications'] })
  } catch (error) {
    // A cancelled upload was removed from the tray already, so nothing changes for it.
    change(id, { outcome: { kind: 'failed', error: error instanceof Error ? error : RequestError.unreachable(error) } })
  }
}

function findUpload(id: number): BuildUploadState | undefined {
  return uploads.find((upload) => upload.id === id)
}

function change(id: number, part: Partial<BuildUploadState>): void {
  publish(uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)))
}

function publish(next: BuildUploadState[]): void {
  uploads = next
  if (uploads.some(({ outcome }) => isUnderWay(outcome))) addEventListener('beforeunload', warnOfLoss)
  else removeEventListener('beforeunload', warnOfLoss)
  for (const listener of listeners) listener()
}

function warnOfLoss(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
