import { Link } from '@tanstack/react-router'
import { type ListedState, testStates } from './search.ts'
import classes from './tests.module.css'

const titles: Record<ListedState, string> = {
  failing: 'Failing',
  flaky: 'Flaky',
  slow: 'Slow',
  quarantined: 'Quarantined',
}

interface TestsNavProps {
  applicationId: number
  /** Whether the page is about one of the runs. */
  isOfRun?: boolean
}

/** Links the pages of an application's tests with each other. */
export function TestsNav({ applicationId, isOfRun = false }: TestsNavProps) {
  const params = { applicationId }
  return (
    <nav className={classes['nav']} aria-label="Tests">
      <Link
        to="/applications/$applicationId/tests"
        params={params}
        activeOptions={{ exact: true, includeSearch: false }}
        aria-current={isOfRun ? 'page' : undefined}
      >
        Runs
      </Link>
      {testStates.map((state) => (
        <Link key={state} to="/applications/$applicationId/tests/all" params={params} search={{ state }}>
          {titles[state]}
        </Link>
      ))}
      <Link
        to="/applications/$applicationId/tests/all"
        params={params}
        search={{}}
        activeOptions={{ exact: true, includeSearch: true }}
      >
        All tests
      </Link>
    </nav>
  )
}
