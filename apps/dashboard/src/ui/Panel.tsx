import { Group, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './panel.module.css'

interface PanelProps {
  title: string
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A section of a page with a title. */
export function Panel({ title, actions, children }: PanelProps) {
  const id = useId()
  return (
    <section className={classes['root']} aria-labelledby={id}>
      <Group justify="space-between" gap="sm" className={classes['head']}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      <div className={classes['body']}>{children}</div>
    </section>
  )
}
