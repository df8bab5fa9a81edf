import { RequestError } from '@fairlead/client'
import type { Build } from '@fairlead/contract'
import { Button, CloseButton, Group, Progress, Text } from '@mantine/core'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { formatBytes, formatCount } from '../ui/format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { mayPass } from '../ui/may-pass.ts'
import {
  type BuildUploadState,
  clearUploads,
  dismissUpload,
  isUnderWay,
  retryUpload,
  uploadToOwnApplication,
  useUploads,
} from '../uploads/upload-store.ts'
import classes from './upload-tray.module.css'

/** Shows running and finished uploads on every page. */
export function UploadTray() {
  const uploads = useUploads()
  const underWay = uploads.filter(({ outcome }) => isUnderWay(outcome)).length
  return (
    <section className={classes['root']} aria-label="Uploads">
      {uploads.length > 0 && (
        <div className={classes['tray']}>
          <Group gap="xs" wrap="nowrap" justify="space-between" className={classes['head']}>
            <Text size="sm" fw={600} role="status">
              {underWay > 0
                ? `${formatCount(uploads.length - underWay, 'upload')} of ${uploads.length} finished`
                : formatCount(uploads.length, 'upload')}
            </Text>
            {underWay < uploads.length && (
              <Button size="compact-xs" variant="subtle" onClick={clearUploads}>
                Clear finished
              </Button>
            )}
          </Group>
          {/* A scrollable list must be focusable, so that the keyboard can scroll it. */}
          <ul className={classes['list']} tabIndex={0} aria-label="Uploaded files">
            {uploads.map((upload) => (
              <UploadRow key={upload.id} upload={upload} />
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

function UploadRow({ upload }: { upload: BuildUploadState }) {
  const { id, file, outcome } = upload
  return (
    <li className={classes['row']}>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <Text size="sm" fw={550} truncate title={file.name}>
          {file.name}
        </Text>
        {isUnderWay(outcome) ? (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => dismissUpload(id)}
            aria-label={`Cancel ${file.name}`}
          >
            Cancel
          </Button>
        ) : (
          <CloseButton size="sm" onClick={() => dismissUpload(id)} aria-label={`Dismiss ${file.name}`} />
        )}
      </Group>
      {outcome.kind === 'waiting' && (
        <Text size="xs" c="dimmed">
          Waiting for its turn
        </Text>
      )}
      {outcome.kind === 'running' && <Running upload={upload} />}
      {outcome.kind === 'failed' && <Failed upload={upload} error={outcome.error} />}
      {outcome.kind === 'done' && <Done upload={upload} build={outcome.build} />}
    </li>
  )
}

function Running({ upload }: { upload: BuildUploadState }) {
  const { progress, speed, file } = upload
  const { sent, total } = progress
  const percent = total > 0 ? (sent / total) * 100 : 0
  return (
    <>
      <Progress value={percent} aria-label={`Upload of ${file.name}`} size="sm" my={6} />
      <Text size="xs" c="dimmed" className="tabular">
        {sent >= total
          ? 'Uploaded; the build is being processed'
          : `${formatBytes(sent)} of ${formatBytes(total)}${speed > 0 ? ` · ${formatBytes(speed)}/s` : ''}`}
      </Text>
    </>
  )
}

function Failed({ upload: { id, file, application }, error }: { upload: BuildUploadState; error: Error }) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <CircleAlert size={16} className={classes['failed']} aria-hidden />
      <Text size="sm" className="break" c="var(--danger)" role="alert" flex={1}>
        {error.message}
      </Text>
      {mayPass(error) && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => retryUpload(id)}
          aria-label={`Try ${file.name} again`}
        >
          Try again
        </Button>
      )}
      {application !== null && isOfNoApplication(error) && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => uploadToOwnApplication(id)}
          aria-label={`Create the application of ${file.name}`}
        >
          Create this application
        </Button>
      )}
    </Group>
  )
}

/** Tells whether the identifier of the file belongs to no application, so that one could be created for it. */
function isOfNoApplication(error: Error): boolean {
  return error instanceof RequestError && error.faults.some(({ source }) => source === '/bundleIdentifier')
}

/** Links to the build. The server picks the application by the identifier in the file, so it may be another one. */
function Done({ upload, build }: { upload: BuildUploadState; build: Build }) {
  const { application } = upload
  const isElsewhere = application !== null && build.applicationId !== application.id
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" role="status">
      <CircleCheck size={16} className={classes['done']} aria-hidden />
      <Text size="sm" className="break">
        {build.shortVersion} ({build.version})
        {isElsewhere ? (
          <>
            {' '}
            went to another application,{' '}
            <AnchorLink to="/applications/$applicationId/builds" params={{ applicationId: build.applicationId }}>
              {build.applicationAlias}
            </AnchorLink>
            , because its identifier {build.bundleIdentifier} belongs there.
          </>
        ) : (
          ` of ${application?.name ?? build.name} is uploaded.`
        )}{' '}
        <AnchorLink to="/builds/$buildId" params={{ buildId: build.id }}>
          Open the build
        </AnchorLink>
        {application === null && (
          <>
            {' or '}
            <AnchorLink to="/applications/$applicationId" params={{ applicationId: build.applicationId }}>
              its application, {build.applicationAlias}
            </AnchorLink>
          </>
        )}
      </Text>
    </Group>
  )
}
