/** Release notes that are typed and not saved yet, kept in this tab over reloads and the end of a session. */
export function readNotesDraft(buildId: number): string | null {
  return sessionStorage.getItem(toKey(buildId))
}

export function keepNotesDraft(buildId: number, text: string): void {
  try {
    sessionStorage.setItem(toKey(buildId), text)
  } catch {
    // The storage is full or closed; the text is still in the field.
  }
}

export function dropNotesDraft(buildId: number): void {
  sessionStorage.removeItem(toKey(buildId))
}

function toKey(buildId: number): string {
  return `fairlead-notes-draft-${buildId}`
}
