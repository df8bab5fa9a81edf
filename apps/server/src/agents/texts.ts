/** The texts that `read_text` reads: by kind, those that answers show cut. */
import { ApiError, type FileOwners, type SuspectCommit } from '@fairlead/contract'
import { requireApplication } from '../applications/find.ts'
import { toBuild } from '../builds/build.ts'
import { requireBuild } from '../builds/find.ts'
import { listCommits } from '../commits/list.ts'
import { requireCrash, requireCrashGroup } from '../crash-groups/find.ts'
import { explainCrash } from '../explanations/explain-crash.ts'
import { explainFailure } from '../explanations/explain-failure.ts'
import { requireTest, requireTestRun } from '../test-runs/find.ts'
import { AgentError } from './agent-error.ts'
import { textsOfBuild, textsOfGroup } from './briefs.ts'
import type { Call } from './call.ts'
import { textsOfFrame } from './frames.ts'
import { locateCrash, textsOfCrash } from './get-crash.ts'
import { textsOfTest } from './list-tests.ts'
import { withoutMembers } from './owner-names.ts'
import { fieldRef, type Ref, type TextKind, toRef } from './trusted.ts'
import type { Texts } from './untrusted.ts'

type TextReader = (call: Call, id: number) => Promise<Texts>

/** Each reads by the function that the API uses, so a token reads the texts of its workspace only. */
const readers: Record<TextKind, TextReader> = {
  async application({ context, caller }, id) {
    const { name } = await requireApplication(context, caller.workspaceId, id)
    return { name }
  },
  async build({ context, caller }, id) {
    return textsOfBuild(toBuild(await requireBuild(context, caller.workspaceId, id), context.config.baseUrl))
  },
  async crashGroup({ context, caller }, id) {
    return textsOfGroup(await requireCrashGroup(context, caller.workspaceId, id))
  },
  async crash({ context, caller }, id) {
    const crash = await requireCrash(context, caller.workspaceId, id)
    const location = (await locateCrash({ context, caller }, crash))?.untrusted ?? null
    const { deviceModel, osName, osVersion, shortVersion, version } = crash
    const device = { deviceModel, osName, osVersion, shortVersion, version }
    return { ...textsOfCrash(crash), ...device, location, frames: crash.frames.map(textsOfFrame) }
  },
  async commits({ context, caller }, id) {
    await requireBuild(context, caller.workspaceId, id)
    const texts: Record<string, Texts> = {}
    for (let cursor: number | undefined; ;) {
      const page = await listCommits(context.db, id, { limit: 200, cursor })
      for (const { id: hash, subject, author, files } of page.items) {
        texts[hash] = { paths: files.map(({ path }) => path), subject, author: author?.name ?? null }
      }
      if (page.nextCursor === undefined) return texts
      cursor = Number(page.nextCursor)
    }
  },
  async crashExplanation({ context, caller }, id) {
    const { suspects, owners } = await explainCrash(context, caller.workspaceId, { crashGroupId: id })
    return toExplainedTexts(suspects, await withoutMembers(context, caller.workspaceId, owners))
  },
  async testFailure({ context, caller, signal }, id) {
    const found = await explainFailure(context, caller.workspaceId, id, signal)
    const owners = await withoutMembers(context, caller.workspaceId, found.owners)
    const location = found.location?.untrusted ?? null
    return { ...found.untrusted, location, ...toExplainedTexts(found.suspects, owners) }
  },
  async test({ context, caller }, id) {
    return textsOfTest(await requireTest(context, caller.workspaceId, id))
  },
  async testRun({ context, caller }, id) {
    const { run } = await requireTestRun(context, caller.workspaceId, id)
    return { branch: run.branch, key: run.key }
  },
}

function toExplainedTexts(suspects: SuspectCommit[], owners: FileOwners[]) {
  const toTexts = <Item>({ untrusted }: { untrusted: Item }) => untrusted
  return { suspects: suspects.map(toTexts), owners: owners.map(toTexts) }
}

/** Finds a text by its place. @throws {AgentError} textNotFound */
export async function findText(call: Call, place: string): Promise<{ ref: Ref; text: string }> {
  const [kind = '', id = '', ...path] = place.split('.')
  if (!isKind(kind) || !/^[1-9]\d{0,14}$/.test(id)) throw new AgentError('textNotFound')
  const texts = await readers[kind](call, Number(id)).catch(refuseUnknown)
  const text = walk(texts, path)
  if (typeof text !== 'string') throw new AgentError('textNotFound')
  return { ref: fieldRef(toRef(kind, Number(id)), path.join('.')), text }
}

function isKind(kind: string): kind is TextKind {
  return Object.hasOwn(readers, kind)
}

function refuseUnknown(error: unknown): never {
  throw error instanceof ApiError && error.status === 404 ? new AgentError('textNotFound') : error
}

/** Only names and places that a text has are followed, so the path may be part of an answer. */
function walk(texts: Texts, path: string[]): Texts | undefined {
  let found: Texts | undefined = texts
  for (const part of path) {
    if (found === undefined || found === null || typeof found === 'string') return undefined
    found = new Map<string, Texts>(Object.entries(found)).get(part)
  }
  return found
}
