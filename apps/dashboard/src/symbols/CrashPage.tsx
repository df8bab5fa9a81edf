import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { RequestError } from '@fairlead/client'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FileUp, ScanText } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { applicationQuery } from '../applications/queries.ts'
import { DropArea } from '../ui/DropArea.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { CrashResult, NoCrash } from './CrashResult.tsx'
import { MappingChoice } from './MappingChoice.tsx'
import { symbolsFilesQuery } from './queries.ts'

const route = getRouteApi('/shell/applications/$applicationId/crash')

/** A longer text would freeze the text field, and no crash report is that long. */
const longestReport = 16 * 2 ** 20

/** Undefined for bytes that are no text, such as a tombstone as Protocol Buffers, which are sent as they are. */
async function readText(file: File): Promise<string | undefined> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** Takes a crash report and shows it with source lines. */
export function CrashPage() {
  const { applicationId } = route.useParams()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const { data: files = [] } = useQuery(symbolsFilesQuery(applicationId))
  const [report, setReport] = useState('')
  const [symbolsFileId, setSymbolsFileId] = useState<number>()
  const isAndroid = application.platform === 'android'
  const symbolicate = useMutation({
    mutationFn: (sent: string | File) => client.symbols.symbolicate(applicationId, sent, { symbolsFileId }),
  })
  const readFile = async (file: File | null | undefined) => {
    if (!file) return
    if (file.size > longestReport) throw new Error(`${file.name} is too large for a crash report`)
    const text = await readText(file)
    setReport(text ?? '')
    symbolicate.mutate(text ?? file)
  }
  const load = useMutation({ mutationFn: readFile })
  const isNoCrash = symbolicate.error instanceof RequestError && symbolicate.error.httpStatus === 422
  return (
    <DropArea hint="Drop the crash report to read it" onFiles={([file]) => load.mutate(file)}>
      <Stack gap="lg">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            symbolicate.mutate(report)
          }}
        >
          <Stack gap="sm">
            <Textarea
              label="Crash report"
              description={
                isAndroid
                  ? 'A stack trace, a piece of logcat or a tombstone. Paste it, or drop the file anywhere here.'
                  : 'An .ips or .crash report. Paste it, or drop the file anywhere here.'
              }
              minRows={8}
              maxRows={symbolicate.data ? 8 : 18}
              autosize
              required
              spellCheck={false}
              value={report}
              onChange={(event) => setReport(event.currentTarget.value)}
              styles={{
                input: {
                  fontFamily: 'var(--mantine-font-family-monospace)',
                  fontSize: 'var(--mantine-font-size-xs)',
                  lineHeight: 1.6,
                },
              }}
            />
            <Group gap="xs" align="flex-end">
              <Button
                type="submit"
                leftSection={<ScanText size={16} />}
                loading={symbolicate.isPending}
                disabled={report.trim() === ''}
              >
                Read the crash
              </Button>
              <FileButton onChange={(file) => load.mutate(file)}>
                {(props) => (
                  <Button {...props} variant="default" leftSection={<FileUp size={16} />}>
                    Open a file
                  </Button>
                )}
              </FileButton>
              {isAndroid && <MappingChoice files={files} value={symbolsFileId} onChange={setSymbolsFileId} />}
            </Group>
            <ErrorNotice error={load.error ?? (isNoCrash ? null : symbolicate.error)} />
          </Stack>
        </form>
        {isNoCrash && <NoCrash />}
        {symbolicate.data && (
          <CrashResult
            crash={symbolicate.data}
            report={typeof symbolicate.variables === 'string' ? symbolicate.variables : symbolicate.data.text}
            applicationId={applicationId}
          />
        )}
        {!symbolicate.data && files.length === 0 && (
          <Text size="sm" c="dimmed">
            No symbols are uploaded yet, so frames will have no source lines.
          </Text>
        )}
      </Stack>
    </DropArea>
  )
}
