/** What other features ask of the crashes of builds. */
export { countCrashesOfBuilds } from './build-counts-store.ts'
