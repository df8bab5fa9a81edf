/** The facts about crashes of builds that other features ask for. */
export { countCrashesOfBuilds } from './build-counts-store.ts'
