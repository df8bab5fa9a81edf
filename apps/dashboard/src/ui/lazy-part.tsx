import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

/**
 * A part of a page whose script is loaded when it is first shown. Until then `fallback` stands in its place, and the
 * page around it stays.
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
