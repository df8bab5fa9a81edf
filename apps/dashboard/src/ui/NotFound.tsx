import { Text } from '@mantine/core'
import { Compass } from 'lucide-react'
import { useDocumentTitle } from './document-title.ts'
import { EmptyState } from './EmptyState.tsx'
import { ButtonLink } from './links.tsx'

export function NotFound({ detail }: { detail?: string }) {
  useDocumentTitle('Not found')
  return (
    <EmptyState icon={Compass} title="Nothing is here" order={1}>
      <Text c="dimmed">{detail ?? 'This address leads nowhere.'}</Text>
      <ButtonLink to="/applications" variant="default">
        To the applications
      </ButtonLink>
    </EmptyState>
  )
}
