import { type ReactNode, useCallback, useLayoutEffect, useState } from 'react'
import { lazyDialog, lazyPart } from '../ui/lazy-part.tsx'
import { useIdleScript } from '../ui/when-idle.ts'
import { isFinderKey } from '../ui/finder-keys.ts'

const loadFinder = () => import('../finder/Finder.tsx')
const Finder = lazyDialog(async () => (await loadFinder()).Finder)
const KeysDialog = lazyDialog(async () => (await import('../finder/KeysDialog.tsx')).KeysDialog)

const loadKeys = () => import('../finder/SingleKeys.tsx')
const SingleKeys = lazyPart(async () => (await loadKeys()).SingleKeys)

/** Opens the finder by its key and by `open`. `finder` has its place at the end of the page. */
export function useFinder(): { open: () => void; finder: ReactNode } {
  const [shown, setShown] = useState<'finder' | 'keys'>()
  const areKeysLoaded = useIdleScript(loadKeys)
  // The script is loaded while the page is idle: letters typed right after Ctrl+K would be lost without its field.
  useIdleScript(loadFinder)
  const open = useCallback(() => setShown('finder'), [])
  const close = useCallback(() => setShown(undefined), [])
  const help = useCallback(() => setShown('keys'), [])
  // The key works as soon as the page is shown. An effect after the paint may come much later on a busy device.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isFinderKey(event)) return
      // The browser's own search field would get the focus.
      event.preventDefault()
      setShown((before) => {
        if (before === 'finder') return undefined
        // A dialog may hold what was typed into it.
        return document.querySelector('[role="dialog"]') ? before : 'finder'
      })
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  const finder = (
    <>
      {shown === 'finder' && <Finder onClose={close} onHelp={help} />}
      {shown === 'keys' && <KeysDialog onClose={close} />}
      {areKeysLoaded && <SingleKeys onFind={open} onHelp={help} />}
    </>
  )
  return { open, finder }
}
