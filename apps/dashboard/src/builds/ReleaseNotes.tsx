import type { Build } from '@fairlead/contract'
import { Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { client } from '../api/client.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell } from '../ui/tell.ts'

const Markdown = lazy(async () => ({ default: (await import('../ui/Markdown.tsx')).Markdown }))

/** Shows the release notes of a build and lets developers edit them. */
export function ReleaseNotes({ build, canWrite }: { build: Build; canWrite: boolean }) {
  const [isEditing, setEditing] = useState(false)
  const edit = canWrite && !isEditing && (
    <Button
      size="compact-sm"
      variant="subtle"
      leftSection={<Pencil size={14} />}
      onClick={() => setEditing(true)}
      aria-label={build.releaseNotes === null ? 'Write release notes' : 'Edit the release notes'}
    >
      {build.releaseNotes === null ? 'Write' : 'Edit'}
    </Button>
  )
  return (
    <Panel title="Release notes" actions={edit}>
      {isEditing ? (
        <NotesEditor build={build} onClose={() => setEditing(false)} />
      ) : (
        <Notes text={build.releaseNotes} />
      )}
    </Panel>
  )
}

function Notes({ text }: { text: string | null }) {
  if (text === null || text.trim() === '') {
    return (
      <Text size="sm" c="dimmed">
        Nothing is written yet. Notes show on the install page and in the mails to testers.
      </Text>
    )
  }
  return (
    <Suspense fallback={<Text size="sm">{text}</Text>}>
      <Markdown text={text} />
    </Suspense>
  )
}

function NotesEditor({ build, onClose }: { build: Build; onClose: () => void }) {
  const [text, setText] = useState(build.releaseNotes ?? '')
  const [mode, setMode] = useState('write')
  const save = useMutation({
    mutationFn: () => client.builds.setReleaseNotes(build.id, text.trim() === '' ? null : text),
    onSuccess: () => {
      tell('The release notes are saved')
      onClose()
    },
  })
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label="Write or preview"
        value={mode}
        onChange={setMode}
        data={[
          { value: 'write', label: 'Write' },
          { value: 'preview', label: 'Preview' },
        ]}
      />
      {mode === 'write' ? (
        <Textarea
          aria-label="Release notes in Markdown"
          placeholder="What is new? Markdown works."
          autosize
          minRows={6}
          maxRows={20}
          maxLength={64 * 1024}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoFocus
        />
      ) : (
        <Notes text={text} />
      )}
      <ErrorNotice error={save.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => save.mutate()} loading={save.isPending}>
          Save
        </Button>
      </Group>
    </Stack>
  )
}
