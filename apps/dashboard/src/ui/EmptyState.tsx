import { Stack, Title } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

/** Where there is nothing yet: what belongs here and what to do next. */
export function EmptyState({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="sm" className={classes['root']}>
      <span className={classes['icon']}>
        <Icon size={24} strokeWidth={1.6} aria-hidden />
      </span>
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  )
}
