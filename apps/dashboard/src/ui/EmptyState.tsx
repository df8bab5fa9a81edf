import { Stack, Title } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import classes from './empty-state.module.css'
import { TopHeading } from './top-heading.ts'

interface EmptyStateProps {
  icon: LucideIcon
  title: string
  /** Whether this replaces the content of a page, of which the title is then the first heading. */
  isPage?: boolean
  children?: ReactNode
}

/** Replaces an empty list, or a page that cannot be shown: says what belongs here and what to do next. */
export function EmptyState({ icon: Icon, title, isPage = false, children }: EmptyStateProps) {
  const topHeading = useContext(TopHeading)
  return (
    <Stack align="center" gap="sm" className={classes['root']}>
      <span className={classes['icon']}>
        <Icon size={24} strokeWidth={1.6} aria-hidden />
      </span>
      <Title order={isPage ? topHeading : 2} size="h2">
        {title}
      </Title>
      {children}
    </Stack>
  )
}
