import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { areSingleKeysOn, pageKeys } from './key-table.ts'
import { useOpenApplicationId } from './open-application.ts'

/** How long the letter after a `g` may take, in milliseconds. */
const sequenceMs = 1500

interface SingleKeysProps {
  onFind: () => void
  onHelp: () => void
}

/** Listens to the keys that are single letters. It shows nothing. */
export function SingleKeys({ onFind, onHelp }: SingleKeysProps) {
  const navigate = useNavigate()
  const applicationId = useOpenApplicationId()
  const startedAt = useRef(-Infinity)
  const open = (letter: string): boolean => {
    const page = Object.hasOwn(pageKeys, letter) ? pageKeys[letter] : undefined
    if (!page || (page.isOfApplication && applicationId === undefined)) return false
    void navigate({ to: page.to, ...(applicationId !== undefined && { params: { applicationId } }) })
    return true
  }
  const act = (key: string, now: number): boolean => {
    const isSecond = now - startedAt.current < sequenceMs
    startedAt.current = -Infinity
    if (isSecond) return open(key)
    if (key === 'g') startedAt.current = now
    else if (key === '?') onHelp()
    else if (key === '/') {
      if (!focusSearch()) onFind()
    } else if (key === 'j') return moveInList(1)
    else if (key === 'k') return moveInList(-1)
    else return false
    return true
  }
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isComposing, defaultPrevented, target, timeStamp } = event
    if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented || takesText(target)) return
    if (document.querySelector('[role="dialog"], [role="menu"]') || !areSingleKeysOn()) return
    if (act(key, timeStamp)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return null
}

function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** Moves the focus to the search of the page's list, and tells whether there is one. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('#main input[aria-label^="Search"]')
  search?.focus()
  search?.select()
  return search !== null
}

/** Moves the focus to the link of the next row or of the one before, and tells whether there is one. */
function moveInList(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('#main :is(li, tbody tr)')]
  const links = rows.flatMap((row) => {
    const link = row.querySelector<HTMLElement>('a[href]')
    return link?.checkVisibility() === true && row.closest('nav') === null ? [link] : []
  })
  const row = document.activeElement?.closest('li, tr')
  const place = links.findIndex((link) => row?.contains(link) === true)
  const next = place === -1 ? links[by === 1 ? 0 : -1] : links[place + by]
  next?.focus()
  return next !== undefined
}
