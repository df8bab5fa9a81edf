import type { CrashGroup } from '@fairlead/contract'
import { Badge, Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CodeName } from '../../ui/CodeName.tsx'
import { formatCount } from '../../ui/format.ts'
import { Sparkline } from '../../ui/Sparkline.tsx'
import { When } from '../../ui/When.tsx'
import classes from './group-list.module.css'
import { toPeople, toReleaseText } from '../release-text.ts'

interface GroupRowProps {
  group: CrashGroup
  isChosen: boolean
  /** Missing for people who may not change groups. */
  onChoose: ((isRange: boolean) => void) | undefined
}

const kindNames: Record<CrashGroup['kind'], string> = {
  crash: 'Crash',
  anr: 'Not responding',
  hang: 'Hang',
  handled: 'Handled',
}

export function GroupRow({ group, isChosen, onChoose }: GroupRowProps) {
  const { applicationId, id: crashGroupId, title, message, culprit, trend, assignee } = group
  const recent = trend.reduce((sum, count) => sum + count, 0)
  return (
    <li className={classes['row']} data-chosen={isChosen || undefined}>
      {onChoose && (
        <span className={classes['choice']}>
          <Checkbox
            aria-label={`Choose ${title}`}
            checked={isChosen}
            onChange={({ nativeEvent }) => onChoose(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
          />
        </span>
      )}
      <div className={classes['main']}>
        <div className={classes['title']}>
          <Link
            to="/applications/$applicationId/crashes/$crashGroupId"
            params={{ applicationId, crashGroupId }}
            className={classes['cover']}
          >
            <CodeName>{title}</CodeName>
          </Link>
          {group.isRegressed && <Badge color="red">Regressed</Badge>}
          {group.isStillCrashing && <Badge color="orange">Still crashing</Badge>}
          {group.kind !== 'crash' && <Badge color="gray">{kindNames[group.kind]}</Badge>}
          {group.missingSymbols.length > 0 && (
            <Badge color="orange" title={group.missingSymbols.join(', ')}>
              Symbols missing
            </Badge>
          )}
        </div>
        {message !== null && message !== '' && !title.includes(message) && (
          <div className={classes['message']}>{message}</div>
        )}
        {culprit !== null && <div className={classes['culprit']}>{culprit}</div>}
        <div className={classes['facts']}>
          <span className={classes['narrow']}>
            {formatCount(group.crashCount, 'crash', 'crashes')}, {toPeople(group)}
          </span>
          <When date={group.lastSeenDate} />
          <span>{toVersions(group)}</span>
          {assignee && <span>{assignee.name === '' ? assignee.email : assignee.name}</span>}
          {group.commentCount > 0 && <span>{formatCount(group.commentCount, 'comment')}</span>}
        </div>
      </div>
      <div className={classes['sparkline']}>
        <Sparkline values={trend} label={`${formatCount(recent, 'crash', 'crashes')} in 30 days`} />
      </div>
      <div className={classes['number']} aria-label={formatCount(group.crashCount, 'crash', 'crashes')} role="img">
        {short.format(group.crashCount)}
      </div>
      <div className={classes['number']} aria-label={toPeople(group)} role="img">
        {group.isInstallCountApproximate && '≈ '}
        {short.format(group.installCount)}
      </div>
    </li>
  )
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** The first and the last version of a group: `2.3.0 (20230) – 2.4.0 (20240)`. */
function toVersions({ firstRelease, lastRelease }: CrashGroup): string {
  const versions = [firstRelease, lastRelease].flatMap((release) => (release ? [toReleaseText(release)] : []))
  return [...new Set(versions)].join(' – ')
}
