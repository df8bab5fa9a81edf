import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { ja } from './words/ja.ts'
import type { Words } from './words/words.ts'
import { zh } from './words/zh.ts'

/** The words of a page, with the date and size formats of its locale. */
export interface Language {
  /** The BCP 47 tag for the `lang` attribute. */
  tag: string
  words: Words
  formatDate: (instant: number) => string
  formatSize: (bytes: number) => string
}

const languages = new Map<string, { tag: string; words: Words }>([
  ['en', { tag: 'en', words: en }],
  ['de', { tag: 'de', words: de }],
  ['fr', { tag: 'fr', words: fr }],
  ['es', { tag: 'es', words: es }],
  ['ja', { tag: 'ja', words: ja }],
  ['zh', { tag: 'zh-Hans', words: zh }],
])

/** Returns the first language of Accept-Language that the pages support, with its region, or English. */
export function chooseLanguage(headers: IncomingHttpHeaders): Language {
  for (const accepted of listLocales(headers)) {
    const found = isUnreadable(accepted) ? undefined : languages.get(accepted.language)
    if (found) return createLanguage(found.tag, found.words, accepted)
  }
  return createLanguage('en', en, new Intl.Locale('en'))
}

/** Readers of traditional Chinese get the next language they accept, since these words are in simplified Chinese. */
function isUnreadable(accepted: Intl.Locale): boolean {
  return accepted.language === 'zh' && accepted.maximize().script !== 'Hans'
}

function listLocales(headers: IncomingHttpHeaders): Intl.Locale[] {
  const accepted = headers['accept-language']?.slice(0, 1000)
  const tags = new Negotiator({ headers: { 'accept-language': accepted } }).languages()
  return tags.flatMap((tag) => {
    try {
      // Drops Unicode extensions, so that a header cannot choose the calendar or digits of a date.
      return [new Intl.Locale(new Intl.Locale(tag).baseName)]
    } catch {
      return []
    }
  })
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte']

function createLanguage(tag: string, words: Words, locale: Intl.Locale): Language {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return {
    tag,
    words,
    formatDate: (instant) => date.format(instant),
    formatSize(bytes) {
      const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
      const unit = units[power] ?? 'byte'
      const value = bytes / 1000 ** power
      const maximumFractionDigits = value < 100 && power > 0 ? 1 : 0
      return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits }).format(value)
    },
  }
}
