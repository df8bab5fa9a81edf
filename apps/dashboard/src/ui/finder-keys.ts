/** On a Mac, Control and K delete the rest of a line, so the finder has the Command key there. */
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The keys that open the finder, as they are called. */
export const finderKeys = isMac ? ['⌘', 'K'] : ['Ctrl', 'K']

export function isFinderKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey
}
