import { RequestError, type UploadProgress } from '@fairlead/client'
import type { Application, Build } from '@fairlead/contract'
import { useSyncExternalStore } from 'react'
import { client, queryClient } from '../api/client.ts'
import { createSpeedometer } from './speedometer.ts'

/** An upload, from choosing the file to its build or its failure. */
export interface BuildUploadState {
  id: number
  fileName: string
  application: Pick<Application, 'id' | 'alias' | 'name'>
  progress: UploadProgress
  /** Bytes per second over the last seconds. */
  speed: number
  outcome: { kind: 'running' } | { kind: 'done'; build: Build } | { kind: 'failed'; error: Error }
  cancel: () => void
}

// Uploads continue when the user leaves the page, so their state is kept outside the components.
let uploads: BuildUploadState[] = []
let lastId = 0
const listeners = new Set<() => void>()

export function useUploads(): BuildUploadState[] {
  return useSyncExternalStore(subscribe, () => uploads)
}

export function dismissUpload(id: number): void {
  publish(uploads.filter((upload) => upload.id !== id))
}

/** Starts an upload; the upload tray shows its progress. */
export function startUpload(application: BuildUploadState['application'], file: File): void {
  const abort = new AbortController()
  const id = ++lastId
  const measureSpeed = createSpeedometer()
  const change = (part: Partial<BuildUploadState>) =>
    publish(uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)))
  publish([
    ...uploads,
    {
      id,
      fileName: file.name,
      application,
      progress: { sent: 0, total: file.size },
      speed: 0,
      outcome: { kind: 'running' },
      cancel: () => abort.abort(),
    },
  ])
  client.builds
    .upload({
      alias: application.alias,
      file,
      fileName: file.name,
      signal: abort.signal,
      // The request body is slightly larger than the file, whose size is the one to show.
      onProgress: ({ sent, total }) => change({ progress: { sent, total }, speed: measureSpeed(sent) }),
    })
    .then(
      (build) => {
        change({ outcome: { kind: 'done', build } })
        void queryClient.invalidateQueries({ queryKey: ['applications'] })
      },
      (error: unknown) => {
        if (abort.signal.aborted) dismissUpload(id)
        else
          change({
            outcome: { kind: 'failed', error: error instanceof Error ? error : RequestError.unreachable(error) },
          })
      },
    )
}

function publish(next: BuildUploadState[]): void {
  uploads = next
  const isRunning = uploads.some(({ outcome }) => outcome.kind === 'running')
  if (isRunning) addEventListener('beforeunload', warnOfLoss)
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
