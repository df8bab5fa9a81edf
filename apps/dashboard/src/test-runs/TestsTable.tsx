import type { Test } from '@fairlead/contract'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Strip } from './HistoryStrip.tsx'
import type { SortedColumn } from './search.ts'
import { StateBadge } from './StateBadge.tsx'
import { formatDuration, toTestName } from './test-name.ts'
import classes from './tests-table.module.css'

/** A row has space for this many cells of history. */
const maxCells = 24

const columns: { column: SortedColumn; title: string }[] = [
  { column: 'name', title: 'Test' },
  { column: 'state', title: 'State' },
  { column: 'p95', title: 'p95' },
]

const states: Test['state'][] = ['failing', 'flaky', 'suspect', 'quarantined', 'healthy']

const compare: Record<SortedColumn, (a: Test, b: Test) => number> = {
  name: (a, b) => toSortedName(a).localeCompare(toSortedName(b)),
  state: (a, b) => states.indexOf(a.state) - states.indexOf(b.state),
  p95: (a, b) => (b.p95Ms ?? -1) - (a.p95Ms ?? -1),
}

/** A column, and whether its last value comes first. */
export interface TestSort {
  column: SortedColumn
  isReversed: boolean
}

interface TestsTableProps {
  tests: readonly Test[]
  sort: TestSort
  onSort: (sort: TestSort) => void
}

/** Lists tests by suite, one line each, sorted within their suite by a column. */
export function TestsTable({ tests, sort, onSort }: TestsTableProps) {
  const sign = sort.isReversed ? -1 : 1
  const sorted = tests.toSorted((a, b) => sign * compare[sort.column](a, b) || compare.name(a, b))
  const suites = [...Map.groupBy(sorted, ({ suite }) => suite ?? '')].toSorted(([a], [b]) => a.localeCompare(b))
  const choose = (column: SortedColumn) => onSort({ column, isReversed: sort.column === column && !sort.isReversed })
  const Arrow = sort.isReversed ? ArrowUp : ArrowDown
  return (
    <table className={classes['table']} aria-label="Tests">
      <thead>
        <tr>
          {columns.map(({ column, title }) => (
            <th
              key={column}
              scope="col"
              data-column={column}
              aria-sort={sort.column === column ? (sort.isReversed ? 'descending' : 'ascending') : 'none'}
            >
              <button type="button" onClick={() => choose(column)}>
                {title}
                {sort.column === column && <Arrow size={13} aria-hidden />}
              </button>
            </th>
          ))}
          <th scope="col" data-column="history">
            Last results
          </th>
          <th scope="col" data-column="owner">
            Owner
          </th>
        </tr>
      </thead>
      {suites.map(([suite, some]) => (
        <tbody key={suite}>
          <tr>
            <th scope="rowgroup" colSpan={5} className="break">
              {suite === '' ? 'No suite' : suite} <span className={classes['count']}>{some.length}</span>
            </th>
          </tr>
          {some.map((test) => (
            <TestLine key={test.id} test={test} />
          ))}
        </tbody>
      ))}
    </table>
  )
}

function TestLine({ test }: { test: Test }) {
  const { applicationId, id: testId, owner, p95Ms } = test
  const place = test.class ?? test.file
  return (
    <tr>
      <td data-column="name">
        <Link to="/applications/$applicationId/tests/$testId" params={{ applicationId, testId }} className="break">
          {toTestName(test)}
        </Link>
        {place !== null && (
          <div className={classes['place']}>
            <bdi>{place}</bdi>
          </div>
        )}
      </td>
      <td data-column="state">
        <StateBadge state={test.state} />
      </td>
      <td data-column="p95" className="tabular">
        {p95Ms === null ? '–' : formatDuration(p95Ms)}
      </td>
      <td data-column="history">
        <Strip results={test.recent.slice(-maxCells)} />
      </td>
      <td data-column="owner" className="break">
        {owner}
      </td>
    </tr>
  )
}

function toSortedName({ class: className, file, name, parameters }: Test): string {
  return [className ?? file ?? '', name, parameters ?? ''].join('\u0000')
}
