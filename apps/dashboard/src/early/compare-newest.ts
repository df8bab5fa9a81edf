import type { Application } from '@fairlead/contract'

/** Sorts applications by their newest builds, or by when they were created, newest first: there the work goes on. */
export function compareNewest(one: Application, other: Application): number {
  const dates = [one, other].map(({ latestBuild, createdDate }) => latestBuild?.uploadedDate ?? createdDate)
  return (dates[1] ?? '').localeCompare(dates[0] ?? '')
}
