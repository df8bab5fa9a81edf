// Filters the operations by the words of the search field, and opens the operation that the address names.
{
  const search = document.getElementById('search')
  const found = document.getElementById('found')
  const sections = [...document.querySelectorAll('main > section')]
  const texts = new Map()

  // An operation is found by its id, method, path, title and description, a schema by its name.
  const readText = (entry) => {
    const known = texts.get(entry)
    if (known !== undefined) return known
    const parts = [...entry.querySelectorAll('summary, .about')]
    const text = [entry.id, ...parts.map(({ textContent }) => textContent)].join(' ').toLowerCase()
    texts.set(entry, text)
    return text
  }

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    let count = 0
    for (const section of sections) {
      let isEmpty = true
      for (const entry of section.querySelectorAll('details')) {
        const isFound = words.every((word) => readText(entry).includes(word))
        entry.hidden = !isFound
        if (isFound) {
          count++
          isEmpty = false
        }
      }
      section.hidden = isEmpty
    }
    found.textContent = words.length === 0 ? '' : `${count} found`
  }

  const openNamed = () => {
    const entry = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (!(entry instanceof HTMLDetailsElement)) return
    search.value = ''
    filter()
    entry.open = true
    entry.scrollIntoView()
  }

  search.addEventListener('input', filter)
  addEventListener('hashchange', openNamed)
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === search) return
    event.preventDefault()
    search.focus()
  })
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target.open) history.replaceState(null, '', `#${target.id}`)
    },
    true,
  )
  openNamed()
}
