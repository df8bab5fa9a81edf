import type { TestAttachment } from '@fairlead/contract'
import { formatBytes } from '../ui/format.ts'
import { List, ListRow } from '../ui/ListRow.tsx'

export function Attachments({ attachments }: { attachments: TestAttachment[] }) {
  if (attachments.length === 0) return null
  return (
    <List label="Attachments">
      {attachments.map(({ id, name, size }) => (
        <ListRow
          key={id}
          title={
            <a href={`/v1/testAttachments/${id}`} target="_blank" rel="noopener">
              {name}
            </a>
          }
          side={formatBytes(size)}
        />
      ))}
    </List>
  )
}
