import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Brand } from '../shell/Brand.tsx'
import { useDocumentTitle } from '../ui/document-title.ts'
import classes from './access.module.css'

/** The frame of the pages that need no account. */
export function AccessPage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title)
  return (
    <main className={classes['root']}>
      <div className={classes['brand']}>
        <Brand />
      </div>
      <div className={classes['card']}>
        <Title order={1}>{title}</Title>
        {children}
      </div>
    </main>
  )
}
