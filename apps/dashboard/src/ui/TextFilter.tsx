import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

const pauseMs = 250

interface TextFilterProps {
  label: string
  placeholder: string
  icon: ReactNode
  /** The value in the URL. */
  value: string
  onChange: (value: string) => void
  /** Values to choose from. */
  suggestions?: string[]
  width: string
}

/** A text field that filters a list, debounced. A URL that is older than the typed text never replaces that text. */
export function TextFilter({ label, placeholder, icon, value, onChange, suggestions, width }: TextFilterProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  // Values that were passed to onChange. On a slow network the URL shows them later, when more is typed already.
  const announced = useRef(new Set<string>())
  const listId = useId()
  if (value !== known) {
    setKnown(value)
    // Any other value came from the browser's back button, or from the link that shows all builds.
    if (!announced.current.has(value)) setText(value)
  }
  useEffect(() => {
    if (value === text.trim()) announced.current.clear()
  }, [value, text])
  const announce = (next: string) => {
    const trimmed = next.trim()
    if (trimmed === value) return
    announced.current.add(trimmed)
    onChange(trimmed)
  }
  const announceSoon = useDebouncedCallback(announce, pauseMs)
  const change = (next: string) => {
    setText(next)
    announceSoon(next)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') announce(text)
  }
  return (
    <>
      <TextInput
        flex={width}
        aria-label={label}
        placeholder={placeholder}
        leftSection={icon}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={handleKey}
        onBlur={() => announce(text)}
        {...(suggestions && { list: listId })}
        rightSection={
          text !== '' && <CloseButton size="sm" aria-label={`Clear: ${label}`} onClick={() => change('')} />
        }
      />
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  )
}
