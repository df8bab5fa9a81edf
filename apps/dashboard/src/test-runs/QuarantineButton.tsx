import type { Test } from '@fairlead/contract'
import { Button } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import { lazy, useRef, useState } from 'react'
import { useCan } from '../api/session.ts'
import { LazyMenu } from '../ui/LazyMenu.tsx'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { loadScript } from '../ui/load-script.ts'

const load = () => loadScript(() => import('./QuarantineMenu.tsx'))
const QuarantineMenu = lazy(async () => ({ default: (await load()).QuarantineMenu }))
const QuarantineDialog = lazyDialog(async () => (await import('./QuarantineDialog.tsx')).QuarantineDialog)

/** A menu that puts a test into quarantine, for developers while it is in none. */
export function QuarantineButton({ test }: { test: Test }) {
  const [days, setDays] = useState<number>()
  const button = useRef<HTMLButtonElement>(null)
  const canWrite = useCan('developer')
  if (!canWrite || test.quarantine !== null) return null
  return (
    <div>
      <LazyMenu
        load={load}
        button={(opening) => (
          <Button variant="default" rightSection={<ChevronDown size={15} aria-hidden />} {...opening}>
            Quarantine
          </Button>
        )}
      >
        <QuarantineMenu buttonRef={button} onChoose={setDays} />
      </LazyMenu>
      {days !== undefined && (
        <QuarantineDialog test={test} days={days} returnFocusTo={button} onClose={() => setDays(undefined)} />
      )}
    </div>
  )
}
