import { RequestError } from '@fairlead/client'
import { Alert, Code, List, Text } from '@mantine/core'
import { CircleAlert } from 'lucide-react'

/**
 * Shows the server's error message, and for a 5xx the error id to search the server's log for. Faults that the message
 * repeats, or that are shown beside their field, are left out.
 */
export function ErrorNotice({ error, fields = [] }: { error: Error | null; fields?: readonly string[] }) {
  if (!error) return null
  const failure = error instanceof RequestError ? error : undefined
  const message = failure?.detail ?? error.message
  const faults =
    failure?.faults.filter(
      ({ source, detail }) => !message.includes(detail) && !fields.includes(toFieldName(source)),
    ) ?? []
  return (
    <Alert color="red" role="alert" icon={<CircleAlert size={18} />}>
      {message}
      {faults.length > 0 && (
        <List size="sm">
          {faults.map(({ source, detail }) => (
            <List.Item key={source + detail}>
              {toFieldName(source)} {detail}
            </List.Item>
          ))}
        </List>
      )}
      {failure && failure.id !== null && failure.httpStatus >= 500 && (
        <Text size="xs">
          The server’s log has more under <Code>{failure.id}</Code>
        </Text>
      )}
    </Alert>
  )
}

function toFieldName(source: string): string {
  return source.replace(/^\//, '').replaceAll('/', ' ')
}
