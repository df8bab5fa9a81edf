import { Stack, Title } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

interface EmptyStateProps {
  icon: LucideIcon
  title: string
  /** The level of the heading: 1 if this replaces the whole page. */
  order?: 1 | 2
  children?: ReactNode
}

/** Replaces an empty list: says what belongs here and what to do next. */
export function EmptyState({ icon: Icon, title, order = 2, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" className={classes['root']}>
      <span className={classes['icon']}>
        <Icon size={24} strokeWidth={1.6} aria-hidden />
      </span>
      <Title order={order} size="h2">
        {title}
      </Title>
      {children}
    </Stack>
  )
}
