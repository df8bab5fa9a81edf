import { RequestError } from '@fairlead/client'
import { Alert, Code, List, Text } from '@mantine/core'
import { CircleAlert } from 'lucide-react'

/** Shows an error in the server's words, with the error id for server failures. */
export function ErrorNotice({ error }: { error: Error | null }) {
  if (!error) return null
  const failure = error instanceof RequestError ? error : undefined
  return (
    <Alert color="red" role="alert" icon={<CircleAlert size={18} />} title={failure?.detail ?? error.message}>
      {failure && failure.faults.length > 0 && (
        <List size="sm">
          {failure.faults.map(({ source, detail }) => (
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
