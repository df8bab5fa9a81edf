/** Reads unsaved release notes. The tab keeps them, also over a reload and over the end of the session. */
export function readNotesDraft(buildId: number): string | null {
  return sessionStorage.getItem(toKey(buildId))
}

export function keepNotesDraft(buildId: number, text: string): void {
  try {
    sessionStorage.setItem(toKey(buildId), text)
  } catch {
    // The storage is full or disabled; the text is still in the field.
  }
}

export function dropNotesDraft(buildId: number): void {
  sessionStorage.removeItem(toKey(buildId))
}

function toKey(buildId: number): string {
  return `fairlead-notes-draft-${buildId}`
}
