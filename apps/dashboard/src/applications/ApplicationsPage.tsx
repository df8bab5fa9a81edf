import { Button, FileButton, Group, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Boxes, Plus, Search, Upload } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '../api/session.ts'
import { compareNewest } from '../early/compare-newest.ts'
import { After } from '../ui/After.tsx'
import { AppIcon } from '../ui/AppIcon.tsx'
import { startUploads } from '../uploads/upload-store.ts'
import { DropArea } from '../ui/DropArea.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatCount } from '../ui/format.ts'
import { ButtonLink } from '../ui/links.tsx'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { PlatformBadge } from '../ui/PlatformBadge.tsx'
import { When } from '../ui/When.tsx'
import { OverviewLine } from './OverviewLine.tsx'
import { applicationsQuery, overviewLinesQuery } from './queries.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'

const ApplicationDialog = lazyDialog(async () => (await import('./ApplicationDialog.tsx')).ApplicationDialog)

/** A list of at least this many applications has a search field. */
const searchFrom = 8

export function ApplicationsPage() {
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const lines = useQuery(overviewLinesQuery)
  const lineOf = new Map(lines.data?.map((line) => [line.applicationId, line]))
  const isAdmin = useCan('admin')
  const [isCreating, dialog] = useDisclosure()
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const wanted = text.trim().toLowerCase()
  const shown = applications
    .filter(({ name, alias, bundleIdentifier }) =>
      [name, alias, bundleIdentifier ?? ''].some((part) => part.toLowerCase().includes(wanted)),
    )
    .toSorted(compareNewest)
  const createButton = isAdmin && (
    <>
      <Button leftSection={<Plus size={16} />} onClick={dialog.open}>
        New application
      </Button>
      <FileButton
        multiple
        accept=".apk,.ipa"
        onChange={(files) => startUploads(null, files)}
        inputProps={{ 'aria-label': 'Choose an APK or IPA to create its application from' }}
      >
        {(props) => (
          <Button {...props} variant="default" leftSection={<Upload size={16} />}>
            From a file
          </Button>
        )}
      </FileButton>
    </>
  )
  const page = (
    <>
      <PageHeader title="Applications">{applications.length > 0 && createButton}</PageHeader>
      {applications.length >= searchFrom && (
        <TextInput
          mb="md"
          aria-label="Search applications"
          placeholder="Search by name, alias or identifier"
          leftSection={<Search size={16} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {applications.length === 0 ? (
        <EmptyState icon={Boxes} title="No applications yet">
          <Text c="dimmed">
            {isAdmin
              ? 'Drop an APK or IPA here: its application is made from it. Or create one, and let CI upload the builds.'
              : 'An administrator of the workspace can create one.'}
          </Text>
          <Group justify="center">
            {createButton}
            {isAdmin && (
              <ButtonLink to="/start" variant="default">
                Get started
              </ButtonLink>
            )}
          </Group>
        </EmptyState>
      ) : (
        <After queries={[lines]}>
          <List label="Applications">
            {shown.map(({ id, name, alias, platform, iconUrl, buildCount, latestBuild }) => (
              <ListRow
                key={id}
                icon={<AppIcon iconUrl={iconUrl} name={name} platform={platform} size={44} />}
                title={
                  <Link to="/applications/$applicationId" params={{ applicationId: id }} className={rowLink}>
                    {name}
                  </Link>
                }
                sub={
                  <>
                    {alias} · {formatCount(buildCount, 'build')}
                    <OverviewLine line={lineOf.get(id)} />
                  </>
                }
                side={
                  latestBuild ? (
                    <>
                      <div>
                        {latestBuild.shortVersion} ({latestBuild.version})
                      </div>
                      <When date={latestBuild.uploadedDate} />
                    </>
                  ) : (
                    'No builds'
                  )
                }
                actions={<PlatformBadge platform={platform} />}
              />
            ))}
          </List>
        </After>
      )}
      {applications.length > 0 && shown.length === 0 && (
        <Text c="dimmed" ta="center" py="xl">
          No application matches “{text}”.
        </Text>
      )}
      {isCreating && (
        <ApplicationDialog
          onClose={dialog.close}
          onCreated={({ id }) => void navigate({ to: '/applications/$applicationId', params: { applicationId: id } })}
        />
      )}
    </>
  )
  if (!isAdmin) return page
  return (
    <DropArea
      hint="Drop an APK or IPA to create its application and upload it"
      onFiles={(files) => startUploads(null, files)}
    >
      {page}
    </DropArea>
  )
}
