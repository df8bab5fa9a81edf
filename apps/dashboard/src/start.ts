/**
 * Runs before the other scripts of the dashboard are loaded. It requests the data of the first page and shows it as a
 * plain list. On a slow network the data arrives long before the scripts do.
 */
import { askEarly } from './early/early-answers.ts'
import { showApplications, showBuild, showBuilds } from './early/first-look.ts'
import {
  applicationRequest,
  applicationsRequest,
  buildRequest,
  buildsRequest,
  groupsRequest,
  readBuildsSearch,
  sessionRequest,
} from './early/requests.ts'

void askForPage(location.pathname).catch(() => {
  // The dashboard sends the request again and shows the error.
})

async function askForPage(pathname: string): Promise<void> {
  if (/^\/(setup|sign-in|forgot-password|reset|invitation)$/.test(pathname)) return
  void askEarly(sessionRequest)
  if (/^\/(applications\/?)?$/.test(pathname)) {
    showApplications(await askEarly(applicationsRequest))
    return
  }
  const applicationId = readId(/^\/applications\/([1-9]\d{0,14})\/?$/.exec(pathname))
  if (applicationId !== undefined) {
    const application = askEarly(applicationRequest(applicationId))
    const builds = askEarly(buildsRequest(applicationId, readBuildsSearch(readSearch(location.search))))
    void askEarly(groupsRequest)
    showBuilds(await application, (await builds).items)
  }
  const buildId = readId(/^\/builds\/([1-9]\d{0,14})\/?$/.exec(pathname))
  if (buildId !== undefined) showBuild(await askEarly(buildRequest(buildId)))
}

function readId(match: RegExpExecArray | null): number | undefined {
  return match?.[1] === undefined ? undefined : Number(match[1])
}

/** The router writes text that could be read as JSON, such as a number, in quotes. */
function readSearch(search: string): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(search)].map(([name, value]) => [name, unquote(value)]))
}

function unquote(value: string): string {
  return /^".*"$/s.test(value) ? value.slice(1, -1) : value
}
