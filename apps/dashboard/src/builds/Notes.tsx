import { Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { loadScript } from '../ui/load-script.ts'

const Markdown = lazy(async () => ({ default: (await loadScript(() => import('../ui/Markdown.tsx'))).Markdown }))

/** Shows release notes as testers see them. */
export function Notes({ text }: { text: string | null }) {
  if (text === null || text.trim() === '') {
    return (
      <Text size="sm" c="dimmed">
        Nothing is written yet. Notes show on the install page and in the mails to testers.
      </Text>
    )
  }
  return (
    <Suspense
      fallback={
        <Text size="sm" className="break preserve">
          {text}
        </Text>
      }
    >
      <Markdown text={text} />
    </Suspense>
  )
}
