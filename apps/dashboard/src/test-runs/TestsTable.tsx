import type { Test } from '@fairlead/contract'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Strip } from './HistoryStrip.tsx'
import type { TestsSearch } from './search.ts'
import { StateBadge } from './StateBadge.tsx'
import { formatDuration, toTestName, toTestPlace } from './test-name.ts'
import classes from './tests-table.module.css'

/** A row has space for this many cells of history. */
const maxCells = 24

interface TestsTableProps {
  tests: readonly Test[]
  /** Whether these are all tests, and not the first pages of them. */
  isComplete: boolean
  sort: TestsSearch['sort']
  onSort: (sort: TestsSearch['sort']) => void
}

/** Lists tests in the order in which they came: by suite, or from the slowest. Each has one line. */
export function TestsTable({ tests, isComplete, sort, onSort }: TestsTableProps) {
  const suites = sort === undefined ? [...Map.groupBy(tests, ({ suite }) => suite ?? '')] : []
  return (
    <table className={classes['table']} aria-label="Tests">
      <thead>
        <tr>
          <th scope="col" data-column="name" aria-sort={sort === undefined ? 'ascending' : 'none'}>
            <button type="button" onClick={() => onSort(undefined)}>
              Test
              {sort === undefined && <ArrowUp size={13} aria-hidden />}
            </button>
          </th>
          <th scope="col" data-column="state">
            State
          </th>
          <th scope="col" data-column="p95" aria-sort={sort === 'p95' ? 'descending' : 'none'}>
            <button type="button" onClick={() => onSort('p95')}>
              p95
              {sort === 'p95' && <ArrowDown size={13} aria-hidden />}
            </button>
          </th>
          <th scope="col" data-column="history">
            Last results
          </th>
          <th scope="col" data-column="owner">
            Owner
          </th>
        </tr>
      </thead>
      {suites.map(([suite, some], place) => (
        <tbody key={suite}>
          <tr>
            <th scope="rowgroup" colSpan={5} className="break">
              {suite === '' ? 'No suite' : suite} {/* The last suite may have more tests on the next page. */}
              {(isComplete || place < suites.length - 1) && <span className={classes['count']}>{some.length}</span>}
            </th>
          </tr>
          {some.map((test) => (
            <TestLine key={test.id} test={test} place={test.class ?? test.file} />
          ))}
        </tbody>
      ))}
      {sort !== undefined && (
        <tbody>
          {tests.map((test) => (
            <TestLine key={test.id} test={test} place={toTestPlace(test) || null} />
          ))}
        </tbody>
      )}
    </table>
  )
}

function TestLine({ test, place }: { test: Test; place: string | null }) {
  const { applicationId, id: testId, owner, p95Ms } = test
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
