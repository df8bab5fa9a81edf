import { type ElfFile, SectionType } from './elf-file.ts'
import { RecordBytes } from './record-bytes.ts'

const dynamicSection = 6
const sonameTag = 14
const maxEntries = 10_000
const longestName = 256

/** The name that a library gives itself (`DT_SONAME` in the section `.dynamic`); null if it has none. */
export function readSoname({ sections, is64 }: ElfFile): string | null {
  const dynamic = sections.find(({ type, part }) => type === dynamicSection && part !== undefined)
  const strings = dynamic && sections[dynamic.link]
  if (!dynamic?.part || strings?.type !== SectionType.strings || !strings.part) return null
  const length = is64 ? 16 : 8
  const { source, offset, size } = dynamic.part
  const count = Math.min(maxEntries, Math.floor(size / length))
  const entries = new RecordBytes(source.read(offset, count * length), is64)
  for (let at = 0; at < count * length; at += length) {
    if (entries.word(at, at) !== sonameTag) continue
    const name = entries.word(at + 4, at + 8)
    if (name >= strings.part.size) return null
    const bytes = strings.part.source.read(strings.part.offset + name, Math.min(longestName, strings.part.size - name))
    const end = bytes.indexOf(0)
    const text = bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
    return text === '' ? null : text
  }
  return null
}
