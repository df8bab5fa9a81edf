import { Text, Title } from '@mantine/core'
import { Circle, CircleCheckBig } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './getting-started.module.css'

interface StepProps {
  title: string
  isDone: boolean
  /** A sentence about the result of a finished step, or about what an open step waits for. */
  state: string
  children?: ReactNode
}

/** One line of the list that ticks itself off. */
export function Step({ title, isDone, state, children }: StepProps) {
  return (
    <li className={classes['step']} data-done={isDone}>
      <span className={classes['mark']}>
        {isDone ? <CircleCheckBig size={22} aria-label="Done" /> : <Circle size={22} aria-label="Open" />}
      </span>
      <div className={classes['content']}>
        <Title order={2}>{title}</Title>
        <Text size="sm" c="dimmed" role="status">
          {state}
        </Text>
        {children}
      </div>
    </li>
  )
}
