import { Button, CloseButton, Group, Progress, Text } from '@mantine/core'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { formatBytes } from '../ui/format.ts'
import { type BuildUploadState, dismissUpload, useUploads } from './upload-store.ts'
import classes from './upload-tray.module.css'
import { AnchorLink } from '../ui/links.tsx'

/** Shows running uploads on every page. */
export function UploadTray() {
  const uploads = useUploads()
  return (
    <section className={classes['root']} aria-label="Uploads" aria-live="polite">
      {uploads.map((upload) => (
        <UploadCard key={upload.id} upload={upload} />
      ))}
    </section>
  )
}

function UploadCard({ upload }: { upload: BuildUploadState }) {
  const { id, fileName, outcome, cancel } = upload
  const isRunning = outcome.kind === 'running'
  return (
    <div className={classes['card']}>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <Text size="sm" fw={550} truncate title={fileName}>
          {fileName}
        </Text>
        {isRunning ? (
          <Button size="compact-xs" variant="default" onClick={cancel}>
            Cancel
          </Button>
        ) : (
          <CloseButton size="sm" onClick={() => dismissUpload(id)} aria-label={`Dismiss ${fileName}`} />
        )}
      </Group>
      {outcome.kind === 'running' && <Running upload={upload} />}
      {outcome.kind === 'failed' && (
        <Group gap={6} wrap="nowrap" align="flex-start" c="var(--danger)" role="alert">
          <CircleAlert size={16} className={classes['icon']} />
          <Text size="sm" className="break">
            {outcome.error.message}
          </Text>
        </Group>
      )}
      {outcome.kind === 'done' && (
        <Group gap={6} wrap="nowrap" align="flex-start">
          <CircleCheck size={16} className={classes['done']} />
          <Text size="sm" className="break">
            {outcome.build.shortVersion} ({outcome.build.version}) of {outcome.build.applicationAlias} is there.{' '}
            <AnchorLink to="/builds/$buildId" params={{ buildId: outcome.build.id }}>
              Open the build
            </AnchorLink>
          </Text>
        </Group>
      )}
    </div>
  )
}

function Running({ upload }: { upload: BuildUploadState }) {
  const { progress, speed, fileName } = upload
  const { sent, total } = progress
  const percent = total > 0 ? (sent / total) * 100 : 0
  return (
    <>
      <Progress value={percent} aria-label={`Upload of ${fileName}`} size="sm" my={6} />
      <Text size="xs" c="dimmed" className="tabular">
        {sent >= total
          ? 'All sent; the build is being read'
          : `${formatBytes(sent)} of ${formatBytes(total)}${speed > 0 ? ` · ${formatBytes(speed)}/s` : ''}`}
      </Text>
    </>
  )
}
