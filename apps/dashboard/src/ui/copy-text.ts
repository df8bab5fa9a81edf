/**
 * Copies a text to the clipboard. On plain HTTP, where browsers do not provide `navigator.clipboard`, it selects and
 * copies a hidden text field.
 *
 * @returns whether the text was copied
 */
export async function copyText(text: string): Promise<boolean> {
  // Outside of secure contexts it is undefined, though the types say otherwise.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard) {
    try {
      await clipboard.writeText(text)
      return true
    } catch {
      // The permission may be refused; copying a selection needs none.
    }
  }
  return copyBySelection(text)
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.cssText = 'position: fixed; top: 0; opacity: 0'
  const focused = document.activeElement
  // The field is put inside an open dialog, because the dialog's focus trap allows no focus elsewhere.
  const place = focused?.closest('[role="dialog"]') ?? document.body
  place.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
