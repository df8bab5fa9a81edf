import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

/**
 * Creates a component whose script is loaded when it is first rendered. Until then `fallback` is shown, and the page
 * around it stays.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>, fallback: ReactNode = null) {
  const Part = lazy(async () => ({ default: await load() }))
  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    )
  }
}
