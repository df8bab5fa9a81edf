import { Group, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './panel.module.css'

interface PanelProps {
  title: string
  /** Actions beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A titled section of a page. */
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
