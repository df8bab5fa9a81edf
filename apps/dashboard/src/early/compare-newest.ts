import type { Application } from '@fairlead/contract'

/** Sorts applications by their newest builds, or by when they were created, newest first: there the work goes on. */
export function compareNewest(one: Application, other: Application): number {
  return toNewestDate(other).localeCompare(toNewestDate(one))
}

function toNewestDate({ latestBuild, createdDate }: Application): string {
  return latestBuild?.uploadedDate ?? createdDate
}
