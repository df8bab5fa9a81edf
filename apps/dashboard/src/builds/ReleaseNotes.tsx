import type { Build } from '@fairlead/contract'
import { Button } from '@mantine/core'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Panel } from '../ui/Panel.tsx'
import { readNotesDraft } from './notes-draft.ts'
import { Notes } from './Notes.tsx'

const NotesEditor = lazyPart(async () => (await import('./NotesEditor.tsx')).NotesEditor)

/** Shows the release notes of a build, and the editor for them. */
export function ReleaseNotes({ build, canWrite }: { build: Build; canWrite: boolean }) {
  // Unsaved text from an earlier visit opens the editor again.
  const [isEditing, setEditing] = useState(() => canWrite && readNotesDraft(build.id) !== null)
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
