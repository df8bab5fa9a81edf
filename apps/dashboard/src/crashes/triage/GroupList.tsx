import type { CrashGroup } from '@fairlead/contract'
import { Button, Checkbox, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatCount } from '../../ui/format.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { tellFailure } from '../../ui/tell.ts'
import type { Done } from './BulkBar.tsx'
import classes from './group-list.module.css'
import { GroupRow } from './GroupRow.tsx'

// The page does not wait for it, because nothing is chosen at first.
const BulkBar = lazyPart(async () => (await import('./BulkBar.tsx')).BulkBar)

interface GroupListProps {
  groups: readonly CrashGroup[]
  total: number
  canWrite: boolean
  isBusy: boolean
  /** Replaces the list if it is empty. */
  empty: ReactNode
}

/** The groups, of which some can be chosen to change them together. */
export function GroupList({ groups, total, canWrite, isBusy, empty }: GroupListProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const last = useRef<number>(undefined)
  const chooseAll = useRef<HTMLInputElement>(null)
  const undo = useRef<HTMLButtonElement>(null)
  const [done, setDone] = useState<Done | null>(null)
  const undoing = useMutation({
    mutationFn: (takeBack: NonNullable<Done['undo']>) => takeBack(),
    onSuccess: setDone,
    onError: tellFailure,
  })
  // Groups that are resolved meanwhile leave the list, and the choice with it.
  const selected = groups.filter(({ id }) => chosen.has(id))
  const isEmpty = groups.length === 0
  // The button that had the focus is gone after a change, and so are groups that the list does not show any more.
  useEffect(() => {
    if (done && document.activeElement === document.body) {
      const next: HTMLElement | null = chooseAll.current ?? undo.current
      next?.focus({ preventScroll: true })
    }
  }, [done, isEmpty])

  const choose = (ids: Iterable<number>) => {
    setDone(null)
    setChosen(new Set(ids))
  }
  const toggle = (id: number, isRange: boolean) => {
    const places = [last.current, id].map((one) => groups.findIndex((group) => group.id === one))
    const isKnown = isRange && places.every((place) => place !== -1)
    const ids = isKnown ? groups.slice(Math.min(...places), Math.max(...places) + 1).map((group) => group.id) : [id]
    last.current = id
    const next = new Set(chosen)
    const isChosen = !next.has(id)
    for (const one of ids) {
      if (isChosen) next.add(one)
      else next.delete(one)
    }
    choose(next)
  }
  const leave = () => {
    setChosen(new Set())
    chooseAll.current?.focus({ preventScroll: true })
  }
  if (isEmpty && !done) return empty
  return (
    <>
      <div className={classes['list']} aria-busy={isBusy}>
        <div className={classes['head']}>
          {canWrite && !isEmpty && (
            <Checkbox
              ref={chooseAll}
              aria-label="Choose all groups of this list"
              checked={selected.length === groups.length}
              indeterminate={selected.length > 0 && selected.length < groups.length}
              onChange={() => choose(selected.length === groups.length ? [] : groups.map(({ id }) => id))}
            />
          )}
          <div className={classes['actions']}>
            <Text size="sm" role="status" {...(selected.length > 0 ? { fw: 580 } : !done && { c: 'dimmed' })}>
              {selected.length > 0
                ? `${formatCount(selected.length, 'group')} chosen`
                : (done?.text ?? formatCount(total, 'crash group'))}
            </Text>
            {selected.length > 0 && (
              <BulkBar
                groups={selected}
                onDone={(next) => {
                  setDone(next)
                  leave()
                }}
                onClear={leave}
              />
            )}
            {selected.length === 0 && done?.undo && (
              <Button ref={undo} size="xs" variant="default" onClick={() => done.undo && undoing.mutate(done.undo)}>
                Undo
              </Button>
            )}
          </div>
          {!isEmpty && (
            <span className={classes['columnNames']} aria-hidden>
              <span>30 days</span>
              <span>Crashes</span>
              <span>People</span>
            </span>
          )}
        </div>
        {!isEmpty && (
          <ul className={classes['rows']} aria-label="Crash groups">
            {groups.map((group) => (
              <GroupRow
                key={group.id}
                group={group}
                isChosen={chosen.has(group.id)}
                onChoose={canWrite ? (isRange) => toggle(group.id, isRange) : undefined}
              />
            ))}
          </ul>
        )}
      </div>
      {isEmpty && empty}
    </>
  )
}
