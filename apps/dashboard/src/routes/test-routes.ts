/** The pages of an application's tests. */
import { createRoute, type SearchSchemaInput } from '@tanstack/react-router'
import {
  readId,
  readRunsSearch,
  readTestSearch,
  readTestsSearch,
  type RunsSearch,
  type TestSearch,
  type TestsSearch,
} from '../test-runs/search.ts'
import { readPathId } from '../ui/path-id.ts'
import { applicationRoute } from './application-route.ts'
import { lazyRouteComponent } from '../ui/load-script.ts'

// The pages of tests load their data themselves, so that their queries are not part of the first script.
const testRunsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'tests',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): RunsSearch => readRunsSearch(search),
  component: lazyRouteComponent(() => import('../test-runs/TestRunsPage.tsx'), 'TestRunsPage'),
})

const testRunRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'tests/runs/$testRunId',
  params: readPathId('testRunId'),
  component: lazyRouteComponent(() => import('../test-runs/TestRunPage.tsx'), 'TestRunPage'),
})

const comparisonRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'tests/runs/$testRunId/comparison',
  params: readPathId('testRunId'),
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): { to?: number | undefined } => ({
    to: readId(search['to']),
  }),
  component: lazyRouteComponent(() => import('../test-runs/ComparisonPage.tsx'), 'ComparisonPage'),
})

const testsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'tests/all',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): TestsSearch => readTestsSearch(search),
  component: lazyRouteComponent(() => import('../test-runs/TestsPage.tsx'), 'TestsPage'),
})

const testRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'tests/$testId',
  params: readPathId('testId'),
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): TestSearch => readTestSearch(search),
  component: lazyRouteComponent(() => import('../test-runs/TestPage.tsx'), 'TestPage'),
})

export const testRoutes = [testRunsRoute, testRunRoute, comparisonRoute, testsRoute, testRoute] as const
