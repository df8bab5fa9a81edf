import type { Build } from '@fairlead/contract'
import { Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { client, queryClient, sessionKey } from '../api/client.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { tell } from '../ui/tell.ts'
import { dropNotesDraft, keepNotesDraft, readNotesDraft } from './notes-draft.ts'
import { Notes } from './Notes.tsx'

/** The API takes 64 KiB. It refuses a text whose characters need more bytes than one each, and says so. */
const maxLength = 64 * 1024

export function NotesEditor({ build, onClose }: { build: Build; onClose: () => void }) {
  const saved = build.releaseNotes ?? ''
  const [draft] = useState(() => readNotesDraft(build.id))
  const [text, setText] = useState(draft ?? saved)
  const [mode, setMode] = useState('write')
  const change = (next: string) => {
    setText(next)
    if (next === saved) dropNotesDraft(build.id)
    else keepNotesDraft(build.id, next)
  }
  const close = () => {
    dropNotesDraft(build.id)
    onClose()
  }
  const save = useMutation({
    mutationFn: () => client.builds.setReleaseNotes(build.id, text.trim() === '' ? null : text),
    onSuccess: () => {
      tell('The release notes are saved')
      close()
    },
  })
  const leaving = useLeaveQuestion(text !== saved && !save.isSuccess)
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
      {draft !== null && draft !== saved && (
        <Text size="sm" c="dimmed" role="status">
          These notes were not saved yet.
        </Text>
      )}
      {mode === 'write' ? (
        <Textarea
          aria-label="Release notes in Markdown"
          placeholder="What is new? Markdown works."
          autosize
          minRows={6}
          maxRows={20}
          maxLength={maxLength}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
          autoFocus
        />
      ) : (
        <Notes text={text} />
      )}
      <ErrorNotice error={save.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button onClick={() => save.mutate()} loading={save.isPending}>
          Save
        </Button>
      </Group>
      {leaving.status === 'blocked' && (
        <Dialog title="The release notes are not saved" onClose={leaving.reset}>
          <Stack>
            <Text size="sm">They are kept in this tab, and will be in the field when you come back to this build.</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={leaving.proceed}>
                Leave
              </Button>
              <Button onClick={leaving.reset} data-autofocus>
                Stay
              </Button>
            </Group>
          </Stack>
        </Dialog>
      )}
    </Stack>
  )
}

/** Asks before the user leaves the page. After the end of a session it does not, because the sign-in must show. */
function useLeaveQuestion(isUnsaved: boolean) {
  return useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved && current.pathname !== next.pathname && Boolean(queryClient.getQueryData(sessionKey)),
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  })
}
