import { Link } from '@tanstack/react-router'
import { type ListedState, testStates } from './search.ts'
import classes from './tests.module.css'

const titles: Record<ListedState, string> = {
  failing: 'Failing',
  flaky: 'Flaky',
  slow: 'Slow',
  quarantined: 'Quarantined',
}

/** Links the pages of an application's tests with each other. */
export function TestsNav({ applicationId }: { applicationId: number }) {
  const params = { applicationId }
  return (
    <nav className={classes['nav']} aria-label="Tests">
      <Link
        to="/applications/$applicationId/tests"
        params={params}
        activeOptions={{ exact: true, includeSearch: false }}
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
