import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react'
import { loadScript } from './load-script.ts'

/** Creates a component whose script is loaded when it is first rendered. The nearest Suspense above waits for it. */
export function lazyWithin<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadScript(load) }))
}

/**
 * Creates a component whose script is loaded when it is first rendered. Until then `fallback` is shown, and the page
 * around it stays.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>, fallback: ReactNode = null) {
  const Part = lazyWithin(load)
  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    )
  }
}

/** Creates such a component for a dialog or a drawer, which Escape also closes while its script is loaded. */
export function lazyDialog<Props extends { onClose: () => void }>(load: () => Promise<ComponentType<Props>>) {
  const Part = lazyWithin(load)
  return function LazyDialog(props: Props) {
    return (
      <Suspense fallback={<ComingDialog onClose={props.onClose} />}>
        <Part {...props} />
      </Suspense>
    )
  }
}

function ComingDialog({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing) onClose()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [onClose])
  return null
}
