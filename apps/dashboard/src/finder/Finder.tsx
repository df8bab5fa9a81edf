import { Loader, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Dialog } from '../ui/Dialog.tsx'
import { formatCount } from '../ui/format.ts'
import classes from './finder.module.css'
import type { Found } from './found.ts'
import type { Scope } from './scope.ts'
import { useFound } from './use-found.ts'

interface FinderProps {
  onClose: () => void
  onHelp: () => void
}

/** Finds pages and what is in them, as a combobox with a listbox: the focus stays in the field. */
export function Finder({ onClose, onHelp }: FinderProps) {
  const [text, setText] = useState('')
  const [activeKey, setActiveKey] = useState<string>()
  const [isEverywhere, setIsEverywhere] = useState(false)
  // Who opens a page goes on in its content; who closes the finder goes on where it was opened.
  const content = useRef<HTMLElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const leave = () => {
    content.current = document.querySelector('#main')
    onClose()
  }
  const help = () => {
    onClose()
    onHelp()
  }
  const { sections, isLoading, hasFailed, scope } = useFound(text, isEverywhere, {
    onHelp: help,
    onEverywhere: () => {
      setIsEverywhere(true)
      setActiveKey(undefined)
    },
  })
  const items = sections.flatMap((section) => section.items)
  const active = items.find(({ key }) => key === activeKey) ?? items[0]
  const toId = (found: Found) => `${id}-${found.key.replaceAll(/\W+/g, '-')}`
  const activeId = active && toId(active)
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const move = (by: number) => {
    const next = items[(items.findIndex((found) => found === active) + by + items.length) % items.length]
    setActiveKey(next?.key)
  }
  const handleKey = (event: KeyboardEvent) => {
    // While an input method is open, the keys are its own.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && activeId !== undefined) document.getElementById(activeId)?.click()
    else return
    event.preventDefault()
  }
  const change = (next: string) => {
    setText(next)
    setActiveKey(undefined)
    list.current?.scrollTo({ top: 0 })
  }
  const count = items.filter(({ stays = false }) => !stays).length
  const isNothing = !isLoading && !hasFailed && count === 0
  return (
    <Dialog
      onClose={onClose}
      returnFocusTo={content}
      title="Find"
      size="lg"
      centered={false}
      yOffset="8dvh"
      classNames={{ body: classes['body'] ?? '' }}
    >
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Find applications, builds, crashes, tests, people and pages"
        aria-autocomplete="list"
        aria-expanded={items.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={activeId}
        placeholder="An application, a version, a commit, a test, a crash, a tester, a page"
        leftSection={<Search size={16} aria-hidden />}
        rightSection={isLoading && <Loader size={16} aria-hidden />}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={handleKey}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
      />
      <div id={`${id}-list`} ref={list} role="listbox" aria-label="Found" className={classes['list']}>
        {sections.map(({ title, items }) => (
          <div key={title} role="group" aria-label={title}>
            <div className={classes['heading']} aria-hidden>
              {title}
            </div>
            {items.map((found) => (
              <Option
                key={found.key}
                id={toId(found)}
                found={found}
                isActive={found === active}
                onPoint={() => setActiveKey(found.key)}
                onLeave={leave}
              />
            ))}
          </div>
        ))}
      </div>
      {isNothing && (
        <Text c="dimmed" size="sm" className="break">
          Nothing is called “{text.trim()}”.
        </Text>
      )}
      {hasFailed && (
        <Text c="var(--danger)" size="sm">
          Some of the search failed, so something may be missing.
        </Text>
      )}
      <Text c="dimmed" size="xs" className={classes['hint']}>
        {describeScope(scope)}
      </Text>
      <VisuallyHidden role="status">
        {isLoading ? 'Searching…' : isNothing ? 'Nothing found' : formatCount(count, 'result')}
      </VisuallyHidden>
    </Dialog>
  )
}

interface OptionProps {
  id: string
  found: Found
  isActive: boolean
  onPoint: () => void
  onLeave: () => void
}

function Option({ id, found, isActive, onPoint, onLeave }: OptionProps) {
  const { title, detail, target, stays = false } = found
  const shared = {
    id,
    role: 'option',
    tabIndex: -1,
    'aria-selected': isActive,
    className: classes['option'],
    // An option that only scrolls under a pointer that rests is not pointed at.
    onMouseMove: isActive ? undefined : onPoint,
  }
  const words: ReactNode = (
    <>
      <span className={classes['title']}>{title}</span>
      {detail !== undefined && detail !== '' && <span className={classes['detail']}>{detail}</span>}
    </>
  )
  if (typeof target === 'function') {
    const act = () => {
      if (!stays) onLeave()
      target()
    }
    return (
      <button
        type="button"
        {...shared}
        onClick={act}
        // The focus stays in the field, where the keys are read.
        onMouseDown={(event) => event.preventDefault()}
      >
        {words}
      </button>
    )
  }
  // A click with a key opens another tab, and the finder stays.
  const handleClick = ({ ctrlKey, metaKey, shiftKey }: MouseEvent) => {
    if (!ctrlKey && !metaKey && !shiftKey) onLeave()
  }
  return (
    <Link {...target} {...shared} onClick={handleClick}>
      {words}
    </Link>
  )
}

/** This many applications are named, so that the hint stays a line or two. */
const mostNamed = 4

function describeScope({ applications, otherCount }: Scope): string {
  const all = [...new Set(applications.map(({ name }) => name))]
  const names = all.length > mostNamed ? formatCount(applications.length, 'application') : all.join(', ')
  if (all.length === 0) return 'Arrow keys move, Enter opens, Esc closes.'
  const rest =
    otherCount > 0 && all.length > 1 ? '; the name of another application before the words searches that one' : ''
  return `Builds, crashes and tests of ${names}${rest}. Arrow keys move, Enter opens, Esc closes.`
}
