import { Alert, Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '../api/session.ts'
import { applicationsQuery } from '../applications/queries.ts'
import { apiTokensQuery } from '../tokens/queries.ts'
import { formatCount } from '../ui/format.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { AddressStep } from './AddressStep.tsx'
import classes from './getting-started.module.css'
import { MailStep } from './MailStep.tsx'
import { watchMs } from './queries.ts'
import { Step } from './Step.tsx'
import { TokenStep } from './TokenStep.tsx'
import { UploadStep } from './UploadStep.tsx'

const ApplicationDialog = lazyDialog(
  async () => (await import('../applications/ApplicationDialog.tsx')).ApplicationDialog,
)

/** Lists the steps that lead a new server to its first testers. Each step ticks itself off. */
export function GettingStartedPage() {
  const isAdmin = useCan('admin')
  const { data: applications } = useSuspenseQuery({
    ...applicationsQuery,
    refetchInterval: ({ state }) =>
      state.data?.some(({ latestBuild }) => latestBuild !== null) === true ? false : watchMs,
  })
  const { data: tokens = [] } = useQuery({ ...apiTokensQuery, enabled: isAdmin })
  const [token, setToken] = useState<string | null>(null)
  const [isCreating, dialog] = useDisclosure()
  if (!isAdmin) return <Alert>Only administrators set a workspace up.</Alert>
  return (
    <>
      <PageHeader title="Get started" description="What is done ticks itself off." />
      <ol className={classes['list']} aria-label="Steps">
        <AddressStep />
        <Step
          title="There is an application"
          isDone={applications.length > 0}
          state={
            applications.length > 0
              ? formatCount(applications.length, 'application')
              : 'Create one, or drop an APK or IPA on the list of applications.'
          }
        >
          <Group gap="md">
            <Button
              size="compact-md"
              variant={applications.length > 0 ? 'default' : 'filled'}
              leftSection={<Plus size={15} />}
              onClick={dialog.open}
            >
              New application
            </Button>
            <AnchorLink to="/applications" size="sm">
              All applications
            </AnchorLink>
          </Group>
        </Step>
        <TokenStep tokens={tokens} token={token} onToken={setToken} />
        <UploadStep applications={applications} token={token} />
        <MailStep />
      </ol>
      {isCreating && <ApplicationDialog onClose={dialog.close} onCreated={() => {}} />}
    </>
  )
}
