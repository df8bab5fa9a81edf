/**
 * Copies a text to the clipboard, also on a page that came over plain HTTP, where browsers keep `navigator.clipboard`
 * from scripts: there a hidden text field is selected and copied.
 *
 * @returns whether the text was copied
 */
export async function copyText(text: string): Promise<boolean> {
  // Missing outside secure contexts, though the types say that it is always there.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard) {
    try {
      await clipboard.writeText(text)
      return true
    } catch {
      // The permission may be refused; the older way needs none.
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
  // Inside an open dialog, because its focus trap takes the focus back from anywhere else.
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
