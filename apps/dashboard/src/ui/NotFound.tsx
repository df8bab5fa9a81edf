import { Text } from '@mantine/core'
import { Compass } from 'lucide-react'
import { useDocumentTitle } from './document-title.ts'
import { EmptyState } from './EmptyState.tsx'
import { ButtonLink } from './links.tsx'

export function NotFound({ detail }: { detail?: string }) {
  useDocumentTitle('Not found')
  return (
    <EmptyState icon={Compass} title="Not found" isPage>
      <Text c="dimmed">{detail ?? 'There is no page at this address.'}</Text>
      <ButtonLink to="/applications" variant="default">
        Go to the applications
      </ButtonLink>
    </EmptyState>
  )
}
