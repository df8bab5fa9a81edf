import { ActionIcon, Button, CopyButton as Copy, Tooltip } from '@mantine/core'
import { Check, Copy as CopyIcon } from 'lucide-react'

/** Copies a text. With `children` it is a labelled button, otherwise an icon. */
export function CopyButton({ value, label, children }: { value: string; label: string; children?: string }) {
  return (
    <Copy value={value} timeout={1600}>
      {({ copied, copy }) => {
        const icon = copied ? <Check size={16} /> : <CopyIcon size={16} />
        if (children !== undefined) {
          return (
            <Button variant="default" leftSection={icon} onClick={copy}>
              {copied ? 'Copied' : children}
            </Button>
          )
        }
        return (
          <Tooltip label={copied ? 'Copied' : label}>
            <ActionIcon
              variant="subtle"
              color={copied ? 'teal' : 'gray'}
              onClick={copy}
              aria-label={copied ? 'Copied' : label}
            >
              {icon}
            </ActionIcon>
          </Tooltip>
        )
      }}
    </Copy>
  )
}
