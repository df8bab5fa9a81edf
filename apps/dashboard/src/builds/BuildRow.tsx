import type { Build, BuildFacts } from '@fairlead/contract'
import { ActionIcon, Badge, Checkbox, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Download, GitBranch, Send } from 'lucide-react'
import { AppIcon } from '../ui/AppIcon.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import { ListRow, rowLink } from '../ui/ListRow.tsx'
import { When } from '../ui/When.tsx'
import { BuildFactBadges } from './BuildFactBadges.tsx'
import classes from './build-row.module.css'
import { toFirstNote } from './first-note.ts'
import { describeSigning } from './signing-words.ts'

interface BuildRowProps {
  build: Build
  facts: BuildFacts | undefined
  /** Absent where the account may not change builds. */
  selection?: {
    isSelected: boolean
    onSelect: (isSelected: boolean, isRange: boolean) => void
    onDistribute: () => void
  }
}

export function BuildRow({ build, facts, selection }: BuildRowProps) {
  const { id, shortVersion, version, number, source, uploadedDate, uploadedBy, isExpired, installCount, size } = build
  const { warnings, isInstallable } = build
  const note = toFirstNote(build.releaseNotes)
  const title = `${shortVersion} (${version})`
  return (
    <ListRow
      icon={
        <>
          {selection && (
            <Checkbox
              className={classes['above']}
              aria-label={`Select ${title}, #${number}`}
              checked={selection.isSelected}
              onChange={(event) => {
                const { nativeEvent, currentTarget } = event
                selection.onSelect(currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
              }}
            />
          )}
          <span className={classes['icon']}>
            <AppIcon {...build} size={36} />
          </span>
        </>
      }
      title={
        <Group gap={8}>
          <Link to="/builds/$buildId" params={{ buildId: id }} className={rowLink} data-row>
            {shortVersion} <span className={classes['number']}>({version})</span>
          </Link>
          <span className={classes['running']} title="Number of the build in this application">
            #{number}
          </span>
          {build.isPinned && <Badge color="harbor">Pinned</Badge>}
          {isExpired && <Badge color="gray">Link expired</Badge>}
          {!isInstallable && (
            <Badge color="red" title={warnings[0]}>
              Cannot be installed
            </Badge>
          )}
          {isInstallable && warnings.length > 0 && (
            <Badge color="orange">{formatCount(warnings.length, 'warning')}</Badge>
          )}
          {build.distributionGroups.map((group) => (
            <Badge key={group.id} color="gray">
              {group.name}
            </Badge>
          ))}
          <BuildFactBadges applicationId={build.applicationId} version={version} facts={facts} />
        </Group>
      }
      sub={
        <>
          {note !== null && <span className={classes['note']}>{note}</span>}
          <span className={classes['facts']}>
            {source && source.branch !== null && (
              <span className={classes['source']}>
                <GitBranch size={13} aria-label="Branch" />
                {source.branch}
                {source.commit !== null && <code>{source.commit.slice(0, 8)}</code>}
              </span>
            )}
            <span>
              {formatBytes(size)}
              <SizeChange bytes={facts?.sizeChange ?? null} />
            </span>
            <span className={classes['fact']}>
              <Download size={13} aria-label="Installs" />
              {installCount}
            </span>
            <span>{describeSigning(build)}</span>
          </span>
        </>
      }
      side={
        <>
          <div>
            <When date={uploadedDate} />
          </div>
          <div className={classes['by']}>{uploadedBy}</div>
        </>
      }
      actions={
        <>
          <CopyButton value={build.installUrl} label={`Copy the install link of ${title}`} />
          {selection && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Distribute ${title}`}
              title={isExpired ? 'The install link has expired: upload the build again' : 'Notes and groups'}
              disabled={isExpired}
              onClick={selection.onDistribute}
            >
              <Send size={16} />
            </ActionIcon>
          )}
        </>
      }
    />
  )
}

/** Changes that are smaller than what is shown of the size say nothing. */
const smallestChange = 500

function SizeChange({ bytes }: { bytes: number | null }) {
  if (bytes === null || Math.abs(bytes) < smallestChange) return null
  return (
    <span className={bytes > 0 ? classes['grown'] : classes['shrunk']} title="Compared with the build before">
      {bytes > 0 ? ` +${formatBytes(bytes)}` : ` −${formatBytes(-bytes)}`}
    </span>
  )
}
