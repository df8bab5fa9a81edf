import { readFile, stat } from 'node:fs/promises'

/** The facts that another service recorded about a release beside its binary. */
export interface ReleaseRecord {
  bundleIdentifier: string | null
  shortVersion: string | null
  version: string | null
  /** MD5 of the binary in hexadecimal, if the service gives it. */
  md5: string | null
  notes: string | null
  uploadedDate: string | null
  branch: string | null
  commit: string | null
  ciUrl: string | null
  groups: string[]
}

/** Reads a JSON object as a release; undefined if it is not one. */
export type ParseRecord = (value: Record<string, unknown>) => ReleaseRecord | undefined

const maxFileBytes = 64 * 1024 * 1024
const maxDepth = 8

/** Finds the releases in a JSON file at any depth; none if the file is not JSON. */
export async function readRecords(path: string, parse: ParseRecord): Promise<ReleaseRecord[]> {
  if ((await stat(path)).size > maxFileBytes) return []
  const records: ReleaseRecord[] = []
  const search = (value: unknown, depth: number): void => {
    if (depth > maxDepth || typeof value !== 'object' || value === null) return
    const record = isRecord(value) ? parse(value) : undefined
    if (record) records.push(record)
    else for (const part of Object.values(value)) search(part, depth + 1)
  }
  search(parseJson(await readFile(path, 'utf8')), 0)
  return records
}

/** A release as the API of App Center gives it (`GET …/releases/{id}`), or its command line (`--output json`). */
export const parseAppCenterRelease: ParseRecord = (value) => {
  const shortVersion = findText(value, 'short_version', 'shortVersion')
  const version = findText(value, 'version')
  if (shortVersion === null || version === null) return undefined
  const build = isRecord(value.build) ? value.build : {}
  return {
    bundleIdentifier: findText(value, 'bundle_identifier', 'bundleIdentifier'),
    shortVersion,
    version,
    md5: findText(value, 'fingerprint'),
    notes: findText(value, 'release_notes', 'releaseNotes'),
    uploadedDate: findText(value, 'uploaded_at', 'uploadedAt'),
    branch: findText(build, 'branch_name', 'branchName', 'branch'),
    commit: findText(build, 'commit_hash', 'commitHash'),
    ciUrl: null,
    groups: listNames(value.distribution_groups ?? value.distributionGroups ?? value.destinations),
  }
}

/** A release as the API of Zealot gives it (`GET /api/apps/{id}`, `/api/apps/versions`). */
export const parseZealotRelease: ParseRecord = (value) => {
  const shortVersion = findText(value, 'release_version')
  const version = findText(value, 'build_version')
  if (shortVersion === null || version === null) return undefined
  return {
    bundleIdentifier: findText(value, 'bundle_id'),
    shortVersion,
    version,
    md5: null,
    notes: findText(value, 'text_changelog') ?? toChangelog(value.changelog),
    uploadedDate: findText(value, 'created_at'),
    branch: findText(value, 'branch'),
    commit: findText(value, 'git_commit'),
    ciUrl: findText(value, 'ci_url'),
    groups: [],
  }
}

function toChangelog(value: unknown): string | null {
  if (!Array.isArray(value)) return null
  const messages = value.flatMap((entry: unknown) => (isRecord(entry) ? (findText(entry, 'message') ?? []) : []))
  return messages.length === 0 ? null : messages.map((message) => `- ${message}`).join('\n')
}

function listNames(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => (isRecord(entry) ? (findText(entry, 'name') ?? []) : []))
}

function findText(value: Record<string, unknown>, ...names: string[]): string | null {
  for (const name of names) {
    const found = value[name]
    if (typeof found === 'string' && found.trim() !== '') return found
    if (typeof found === 'number') return String(found)
  }
  return null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
