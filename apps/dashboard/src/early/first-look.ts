import type { Application, Build } from '@fairlead/contract'
import { appendElement } from './append-element.ts'

/**
 * Plain lists and links are shown while the scripts of the page are still loading, so that people on a slow network can
 * already read and follow them. The dashboard replaces them when it starts.
 */
export function showApplications(applications: Application[]): void {
  const list = openFirstLook('Applications')
  for (const { id, name, platform, latestBuild } of applications) {
    const version = latestBuild ? `${latestBuild.shortVersion} (${latestBuild.version})` : 'No builds'
    appendRow(list, { href: `/applications/${id}`, text: name, detail: `${platformNames[platform]} · ${version}` })
  }
}

export function showBuilds(application: Application, builds: Build[]): void {
  const list = openFirstLook(application.name)
  for (const { id, shortVersion, version, source, uploadedDate } of builds) {
    const detail = [source?.branch, new Date(uploadedDate).toLocaleString('en-GB')].filter(Boolean).join(' · ')
    appendRow(list, { href: `/builds/${id}`, text: `${shortVersion} (${version})`, detail })
  }
}

export function showBuild({ name, shortVersion, version, installUrl, id, releaseNotes }: Build): void {
  const list = openFirstLook(`${name} ${shortVersion} (${version})`)
  appendRow(list, { href: installUrl, text: 'Open the install page', detail: releaseNotes ?? '' })
  appendRow(list, { href: `/v1/builds/${id}/binary`, text: 'Download', detail: '' })
}

const platformNames = { android: 'Android', ios: 'iOS' }

/** Clears the first look and returns a list to fill. If the dashboard has replaced it, the list is in no document. */
function openFirstLook(title: string): Element {
  const place = document.querySelector('#first-look') ?? document.createElement('div')
  place.replaceChildren()
  appendElement(place, 'h1', title)
  return appendElement(place, 'ul')
}

function appendRow(list: Element, { href, text, detail }: { href: string; text: string; detail: string }): void {
  const row = appendElement(list, 'li')
  appendElement(row, 'a', text).setAttribute('href', href)
  appendElement(row, 'div', detail)
}
