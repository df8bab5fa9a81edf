import { ActionIcon, Button } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'
import { tellFailure } from './tell.ts'

const shownMs = 1600

/** Copies a text. With `children` the button has that text, else only an icon. */
export function CopyButton({ value, label, children }: { value: string; label: string; children?: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    if (await copyText(value)) setCopied(true)
    else tellFailure(new Error('The browser did not allow copying; select the text and copy it by hand'))
  }
  const icon = isCopied ? <Check size={16} /> : <Copy size={16} />
  if (children !== undefined) {
    return (
      <Button variant="default" leftSection={icon} onClick={() => void copy()}>
        {isCopied ? 'Copied' : children}
      </Button>
    )
  }
  return (
    <ActionIcon
      variant="subtle"
      color={isCopied ? 'green' : 'gray'}
      onClick={() => void copy()}
      aria-label={isCopied ? 'Copied' : label}
      title={label}
    >
      {icon}
    </ActionIcon>
  )
}
