import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useDocumentTitle } from './document-title.ts'

interface PageHeaderProps {
  title: string
  description?: ReactNode
  /** The buttons of the page. */
  children?: ReactNode
}

export function PageHeader({ title, description, children }: PageHeaderProps) {
  useDocumentTitle(title)
  return (
    <Group justify="space-between" align="flex-start" gap="md" mb="lg">
      <Stack gap={4} flex="1 1 16rem">
        <Title order={1}>{title}</Title>
        {description !== undefined && (
          <Text c="dimmed" size="sm" maw="46rem">
            {description}
          </Text>
        )}
      </Stack>
      {children}
    </Group>
  )
}
