import type { TestAttachment } from '@fairlead/contract'

type Kind = Pick<TestAttachment, 'name' | 'contentType'>

const pictureTypes = /^image\/(png|jpeg|gif|webp)$/
const videoTypes = /^video\/(mp4|webm)$/
const traceName = /(^|[\\/])trace[\w.-]*\.zip$/i

export function isPicture({ contentType }: Kind): boolean {
  return pictureTypes.test(contentType ?? '')
}

export function isVideo({ contentType }: Kind): boolean {
  return videoTypes.test(contentType ?? '')
}

/** Tells whether a file is a trace of Playwright, by the names that Playwright gives to it: `trace` and `trace.zip`. */
export function isPlaywrightTrace({ name, contentType }: Kind): boolean {
  return traceName.test(name) || (name === 'trace' && contentType === 'application/zip')
}

/** Returns the address of Playwright's trace viewer, which the server has, with an attachment. */
export function toTraceViewerUrl(attachmentId: number): string {
  return `/trace-viewer/index.html?trace=${encodeURIComponent(`/v1/testAttachments/${attachmentId}`)}`
}
