import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { loadScript } from './load-script.ts'

/**
 * Creates a component whose script is loaded when it is first rendered. Until then `fallback` is shown, and the page
 * around it stays.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>, fallback: ReactNode = null) {
  const Part = lazy(async () => ({ default: await loadScript(load) }))
  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    )
  }
}
