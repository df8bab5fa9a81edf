import type { UploadProgress } from '@fairlead/client'
import type { Application } from '@fairlead/contract'
import { Button, FileInput, Group, NativeSelect, Progress, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { client } from '../api/client.ts'
import { newestBuildsQuery } from '../builds/queries.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { tell } from '../ui/tell.ts'

interface UploadSymbolsDialogProps {
  application: Application
  file: File | null
  /** The release that the symbols are of, if it is known. */
  release?: { package: string | null; shortVersion: string | null; version: string | null }
  onClose: () => void
}

/**
 * Uploads symbols. A mapping does not name its build and an obfuscation map does not name its symbols, so the dialog
 * asks for them; dSYMs and libraries contain their ids.
 */
export function UploadSymbolsDialog({ application, file: dropped, release, onClose }: UploadSymbolsDialogProps) {
  const isAndroid = application.platform === 'android'
  const [file, setFile] = useState(dropped)
  const [progress, setProgress] = useState<UploadProgress | null>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const form = useForm({
    initialValues: {
      bundleIdentifier: release?.package ?? application.bundleIdentifier ?? '',
      shortVersion: release?.shortVersion ?? '',
      version: release?.version ?? '',
      debugId: '',
    },
  })
  const kind = toUploadKind(file?.name, isAndroid)
  const send = useMutation({
    mutationFn: ({ debugId, ...mapping }: typeof form.values) => {
      if (!file) throw new Error('Choose a file first')
      abort.current = new AbortController()
      const { signal } = abort.current
      return client.symbols.upload({
        alias: application.alias,
        file,
        mapping: hasBuild(kind) && mapping.version !== '' ? mapping : undefined,
        debugId: kind === 'dartmap' ? debugId : undefined,
        fileName: kind === 'library' || kind === 'dartmap' ? file.name : undefined,
        signal,
        onProgress: setProgress,
      })
    },
    onSuccess: () => {
      tell('The symbols are uploaded')
      onClose()
    },
  })
  return (
    <Dialog onClose={onClose} title="Upload symbols">
      <form onSubmit={form.onSubmit((values) => send.mutate(values))}>
        <Stack>
          <FileInput
            label="Symbols"
            description={
              isAndroid
                ? 'mapping.txt, a library (.so, .debug), .symbols and maps of Flutter, or a zip'
                : 'A zip of .dSYM folders or of an .xcarchive, .symbols and maps of Flutter'
            }
            placeholder="Choose a file"
            required
            value={file}
            onChange={setFile}
          />
          {kind === 'dartmap' && (
            <TextInput
              label="Debug id"
              description="That of the .symbols of the same build, which the list of symbols shows"
              required
              {...form.getInputProps('debugId')}
            />
          )}
          {hasBuild(kind) && (
            <>
              <BuildChoice applicationId={application.id} onChoose={form.setValues} />
              <TextInput
                label="Package name"
                required={kind === 'mapping'}
                {...form.getInputProps('bundleIdentifier')}
              />
              <Group grow align="flex-start">
                <TextInput label="Version name" required={kind === 'mapping'} {...form.getInputProps('shortVersion')} />
                <TextInput label="Version code" required={kind === 'mapping'} {...form.getInputProps('version')} />
              </Group>
            </>
          )}
          {send.isPending && progress && (
            <div>
              <Progress value={(progress.sent / progress.total) * 100} aria-label="Upload of the symbols" />
              {progress.sent >= progress.total && (
                <Text size="xs" c="dimmed" mt={4}>
                  Uploaded; the symbols are being indexed
                </Text>
              )}
            </div>
          )}
          <ErrorNotice error={send.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={send.isPending} disabled={!file}>
              Upload
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

type UploadKind = 'mapping' | 'archive' | 'dartmap' | 'library' | 'dsyms'

/** The kind that a file's name suggests. A zip may hold any kind, so a build can be named for it and need not be. */
function toUploadKind(name: string | undefined, isAndroid: boolean): UploadKind {
  if (name !== undefined && /\.(?:so|debug|dbg|sym|symbols)$/i.test(name)) return 'library'
  if (name !== undefined && /\.json$/i.test(name)) return 'dartmap'
  if (!isAndroid) return 'dsyms'
  return name !== undefined && /\.zip$/i.test(name) ? 'archive' : 'mapping'
}

function hasBuild(kind: UploadKind): boolean {
  return kind === 'mapping' || kind === 'archive'
}

interface BuildChoiceProps {
  applicationId: number
  onChoose: (build: { bundleIdentifier: string; shortVersion: string; version: string }) => void
}

/** Fills the fields from an uploaded build. */
function BuildChoice({ applicationId, onChoose }: BuildChoiceProps) {
  const { data: builds = [] } = useQuery(newestBuildsQuery(applicationId))
  if (builds.length === 0) return null
  return (
    <NativeSelect
      label="Build"
      defaultValue=""
      onChange={(event) => {
        const build = builds.find(({ id }) => String(id) === event.currentTarget.value)
        if (build) {
          const { bundleIdentifier, shortVersion, version } = build
          onChoose({ bundleIdentifier, shortVersion, version })
        }
      }}
      data={[
        { value: '', label: 'Another build' },
        ...builds.map(({ id, shortVersion, version }) => ({
          value: String(id),
          label: `${shortVersion} (${version})`,
        })),
      ]}
    />
  )
}
