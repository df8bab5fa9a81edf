import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Download, Send, Trash2 } from 'lucide-react'
import { client, queryClient } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { applicationQuery } from '../applications/queries.ts'
import { AppIcon } from '../ui/AppIcon.tsx'
import { Breadcrumb } from '../ui/Breadcrumb.tsx'
import { useDocumentTitle } from '../ui/document-title.ts'
import { PlatformBadge } from '../ui/PlatformBadge.tsx'
import { tell } from '../ui/tell.ts'
import { useIsIdle } from '../ui/when-idle.ts'
import { When } from '../ui/When.tsx'
import { BuildDifferences } from './BuildDifferences.tsx'
import { BuildFacts } from './BuildFacts.tsx'
import classes from './build-page.module.css'
import { DistributionPanel } from './DistributionPanel.tsx'
import { InstallPanel } from './InstallPanel.tsx'
import { PinButton } from './PinButton.tsx'
import { buildQuery } from './queries.ts'
import { ReleaseNotes } from './ReleaseNotes.tsx'
import { SigningPanel } from './SigningPanel.tsx'
import { SymbolsPanel } from './SymbolsPanel.tsx'
import { lazyDialog, lazyPart, lazyWithin } from '../ui/lazy-part.tsx'

// Warnings stand above everything else, so the page waits for them.
const BuildWarnings = lazyWithin(async () => (await import('./BuildWarnings.tsx')).BuildWarnings)
const BuildCrashesPanel = lazyPart(async () => (await import('./BuildCrashesPanel.tsx')).BuildCrashesPanel)
const DistributeDialog = lazyDialog(async () => (await import('./DistributeDialog.tsx')).DistributeDialog)
const InstallsPanel = lazyPart(async () => (await import('./InstallsPanel.tsx')).InstallsPanel)
const TestersPanel = lazyPart(async () => (await import('./TestersPanel.tsx')).TestersPanel)
const BuildDevicesPanel = lazyPart(async () => (await import('../devices/BuildDevicesPanel.tsx')).BuildDevicesPanel)
const BuildFeedbackPanel = lazyPart(async () => (await import('../feedback/BuildFeedbackPanel.tsx')).BuildFeedbackPanel)
const BuildVerdictPanel = lazyPart(async () => (await import('../verdicts/BuildVerdictPanel.tsx')).BuildVerdictPanel)
const ConfirmDialog = lazyDialog(async () => (await import('../ui/ConfirmDialog.tsx')).ConfirmDialog)

const route = getRouteApi('/shell/builds/$buildId')

export function BuildPage() {
  const { buildId } = route.useParams()
  const { data: build } = useSuspenseQuery(buildQuery(buildId))
  // The page only needs the name of the application, so it does not wait for it.
  const { data: application } = useQuery(applicationQuery(build.applicationId))
  const applicationName = application?.name ?? build.name
  const canWrite = useCan('developer')
  const [isDistributing, distribution] = useDisclosure()
  const [isDeleting, deletion] = useDisclosure()
  // Verdict, installs and crashes are loaded after the page itself, so that it shows quickly on a slow network.
  const isIdle = useIsIdle()
  const navigate = useNavigate()
  const listsDevices = (build.signing?.profile?.deviceCount ?? 0) > 0
  const version = `${build.shortVersion} (${build.version})`
  useDocumentTitle(`${applicationName} ${version}`)

  const remove = async () => {
    await client.builds.remove(buildId)
    queryClient.removeQueries({ queryKey: ['applications', build.applicationId, 'builds'] })
    await navigate({ to: '/applications/$applicationId/builds', params: { applicationId: build.applicationId } })
    queryClient.removeQueries({ queryKey: ['builds', buildId] })
    tell(`${version} is deleted`)
  }

  return (
    <>
      <Breadcrumb>
        <Link to="/applications">Applications</Link>
        <Link to="/applications/$applicationId" params={{ applicationId: build.applicationId }}>
          {applicationName}
        </Link>
      </Breadcrumb>
      <Group justify="space-between" align="flex-start" gap="md" mb="lg">
        <Group gap="md" wrap="nowrap" align="flex-start" flex="1 1 18rem" miw={0}>
          <AppIcon {...build} size={56} />
          <Stack gap={2} miw={0}>
            <Group gap="xs">
              <Title order={1} className="break">
                {build.name} {version}
              </Title>
              <PlatformBadge platform={build.platform} />
              {build.isPinned && <Badge color="harbor">Pinned</Badge>}
              {build.isExpired && <Badge color="gray">Link expired</Badge>}
              {build.debuggable && <Badge color="orange">Debuggable</Badge>}
            </Group>
            <Text size="sm" c="dimmed">
              Uploaded <When date={build.uploadedDate} /> by {build.uploadedBy}
            </Text>
          </Stack>
        </Group>
        <Group gap="xs" className={classes['buttons']}>
          {canWrite && (
            <Button
              leftSection={<Send size={16} />}
              onClick={distribution.open}
              disabled={build.isExpired}
              {...(build.isExpired && { title: 'The install link has expired: upload the build again' })}
            >
              Distribute
            </Button>
          )}
          <Button
            component="a"
            href={`/v1/builds/${buildId}/binary`}
            download
            variant="default"
            leftSection={<Download size={16} />}
          >
            Download
          </Button>
          {canWrite && <PinButton build={build} />}
          {canWrite && (
            <Button variant="default" leftSection={<Trash2 size={16} />} onClick={deletion.open}>
              Delete
            </Button>
          )}
        </Group>
      </Group>

      {build.warnings.length > 0 && <BuildWarnings build={build} mb="lg" />}

      <div className={classes['columns']}>
        <div className={classes['column']}>
          <ReleaseNotes build={build} canWrite={canWrite} />
          {isIdle && <BuildVerdictPanel build={build} />}
          <BuildDifferences build={build} />
          <BuildFacts build={build} />
          {isIdle && <TestersPanel build={build} canWrite={canWrite} />}
          {isIdle && canWrite && listsDevices && <BuildDevicesPanel build={build} />}
          {isIdle && <BuildFeedbackPanel build={build} />}
          {isIdle && <InstallsPanel build={build} />}
        </div>
        <div className={classes['column']}>
          <InstallPanel build={build} />
          <DistributionPanel build={build} />
          <SigningPanel signing={build.signing} platform={build.platform} />
          <SymbolsPanel build={build} />
          {isIdle && <BuildCrashesPanel build={build} />}
        </div>
      </div>

      {isDistributing && <DistributeDialog builds={[build]} onClose={distribution.close} />}
      {isDeleting && (
        <ConfirmDialog title="Delete the build" action="Delete it" onConfirm={remove} onClose={deletion.close}>
          {build.name} <b>{version}</b> will be deleted for good, and its install link stops working.
        </ConfirmDialog>
      )}
    </>
  )
}
