/** A table whose cells can be edited. Values become text nodes: nothing of the data is ever read as HTML. */

/** An element with properties and children. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

const LONG = 60

export class Table {
  #options
  #body = make('tbody')
  #head = make('thead')
  #rows = new Map()
  fields = []

  /** @param options `sort`, `edit`, `editJson`, `editRecord`, `remove`, `canEdit`, and the name of the `id` */
  constructor(container, options) {
    this.#options = options
    const table = make('table', {}, this.#head, this.#body)
    table.setAttribute('role', 'grid')
    container.replaceChildren(table)
    table.addEventListener('keydown', (event) => this.#key(event))
  }

  /** Shows these records; those that were shown keep their rows, and a cell that is being edited stays as it is. */
  show(records, { sorted, flash }) {
    this.#setFields(records, sorted)
    const before = this.#rows
    this.#rows = new Map()
    const rows = records.map((record, index) => {
      const key = this.#keyOf(record) ?? `${index}`
      const known = before.get(key)
      const row = known ?? { element: make('tr'), cells: new Map() }
      this.#rows.set(key, row)
      this.#fill(row, record, flash && known !== undefined)
      if (flash && known === undefined) restart(row.element, 'created')
      return row.element
    })
    const isSame =
      rows.length === this.#body.children.length && rows.every((row, i) => row === this.#body.children[i])
    if (!isSame) this.#body.replaceChildren(...rows)
    this.#makeReachable()
  }

  /** @returns whether it shows a record with this id */
  update(record) {
    const row = this.#rows.get(this.#keyOf(record))
    if (row === undefined) return false
    const hasNew = Object.keys(record).some((field) => !this.fields.includes(field))
    if (!hasNew) this.#fill(row, record, true)
    return !hasNew
  }

  markDeleted(record) {
    this.#rows.get(this.#keyOf(record))?.element.classList.add('deleted')
  }

  #keyOf(record) {
    const id = record?.[this.#options.id]
    return typeof id === 'string' || typeof id === 'number' ? `${typeof id}:${id}` : undefined
  }

  #setFields(records, sorted) {
    const fields = new Set(this.fields)
    for (const record of records) for (const field of Object.keys(Object(record))) fields.add(field)
    const { id } = this.#options
    const found = [...fields].sort((one, other) => (other === id) - (one === id))
    const isSame = found.length === this.fields.length && this.#head.firstChild
    this.fields = found
    if (!isSame) {
      for (const row of this.#rows.values()) row.cells.clear()
      this.#rows.clear()
      const heads = found.map((field) => {
        const head = make(
          'th',
          { scope: 'col' },
          make('button', { type: 'button', textContent: field, onclick: () => this.#options.sort(field) }),
        )
        head.dataset.field = field
        head.classList.toggle(
          'number',
          records.some((record) => typeof record?.[field] === 'number') && field !== id,
        )
        head.classList.toggle('id', field === id)
        return head
      })
      this.#head.replaceChildren(
        make('tr', {}, ...heads, make('th', { scope: 'col', className: 'acts', ariaLabel: 'What to do' })),
      )
    }
    for (const head of this.#head.firstChild.children) {
      const [field, order] = sorted
      if (head.dataset.field !== undefined && head.dataset.field === field)
        head.ariaSort = order === 'desc' ? 'descending' : 'ascending'
      else head.removeAttribute('aria-sort')
    }
  }

  #fill(row, record, flash) {
    row.element.classList.remove('deleted')
    const old = row.record
    row.record = record
    for (const field of this.fields) {
      let cell = row.cells.get(field)
      const value =
        typeof record === 'object' && record !== null && Object.hasOwn(record, field)
          ? record[field]
          : undefined
      if (cell === undefined) {
        cell = make('td', { tabIndex: -1, ondblclick: () => this.#edit(row, field) })
        row.cells.set(field, cell)
        row.element.append(cell)
      } else if (JSON.stringify(old?.[field]) === JSON.stringify(value)) continue
      if (cell.isEdited) continue
      this.#draw(cell, row, field, value)
      if (flash) restart(cell, 'updated')
    }
    if (row.acts === undefined || (!row.acts.isConnected && row.element.lastChild !== row.acts)) {
      row.acts = this.#acts(row)
      row.element.append(row.acts)
    }
  }

  #acts(row) {
    const { canEdit, editRecord, remove } = this.#options
    const cell = make('td', { className: 'acts' })
    const act = (text, title, run) => {
      const button = make('button', {
        type: 'button',
        textContent: text,
        title,
        tabIndex: -1,
        onclick: () => run(row.record),
      })
      button.ariaLabel = title
      cell.append(button)
    }
    act('{ }', 'The record as JSON', editRecord)
    if (canEdit(row.record) && remove) act('✕', 'Delete', remove)
    return cell
  }

  #draw(cell, row, field, value) {
    cell.className = ''
    cell.title = ''
    if (value === null || value === undefined) {
      cell.className = 'none'
      cell.textContent = value === null ? 'null' : ''
    } else if (typeof value === 'boolean') {
      const box = make('input', {
        type: 'checkbox',
        checked: value,
        tabIndex: -1,
        disabled: !this.#canEdit(row, field),
      })
      box.ariaLabel = field
      box.onchange = () => this.#options.edit(row.record, field, box.checked)
      cell.replaceChildren(box)
    } else if (typeof value === 'object') {
      cell.className = 'json'
      cell.textContent = JSON.stringify(value).slice(0, LONG)
    } else {
      cell.className = field === this.#options.id ? 'id' : typeof value
      cell.dir = 'auto'
      const text = String(value)
      cell.replaceChildren(pictureOf(text) ?? text.slice(0, 500))
      if (text.length > LONG) cell.title = text.slice(0, 2000)
    }
  }

  #canEdit(row, field) {
    return this.#options.canEdit(row.record) && field !== this.#options.id
  }

  /** Begins to edit a cell: in its place, or as JSON where it holds more than a value. */
  #edit(row, field) {
    const cell = row.cells.get(field)
    const value = row.record[field]
    if (cell.isEdited) return
    if (typeof value === 'object' && value !== null) return this.#options.editJson(row.record, field)
    if (!this.#canEdit(row, field) || typeof value === 'boolean') return
    const text = value === null || value === undefined ? '' : String(value)
    const isLong = text.length > LONG || text.includes('\n')
    const input = make(isLong ? 'textarea' : 'input', { value: text })
    if (typeof value === 'number') input.inputMode = 'decimal'
    input.ariaLabel = field
    cell.isEdited = true
    cell.replaceChildren(input)
    input.focus()
    input.select()
    const end = async (save) => {
      if (!cell.isEdited) return
      cell.isEdited = false
      if (save && input.value !== text)
        await this.#options.edit(row.record, field, typedValue(input.value, value))
      if (!cell.isEdited) this.#draw(cell, row, field, row.record[field])
    }
    input.onblur = () => end(true)
    input.onkeydown = (event) => {
      const isEnd =
        (event.key === 'Enter' && !event.shiftKey) || event.key === 'Escape' || event.key === 'Tab'
      event.stopPropagation()
      if (!isEnd) return
      event.preventDefault()
      input.onblur = null
      // It does not wait until this is saved: what is typed next belongs to the next cell.
      end(event.key !== 'Escape')
      cell.focus()
      if (event.key === 'Tab') this.#move(cell, event.shiftKey ? -1 : 1, 0, true)
    }
  }

  /** One cell is in the order of the tab key; arrows lead to the others. */
  #makeReachable() {
    if (this.#body.querySelector('td[tabindex="0"]')) return
    const first = this.#body.querySelector('td')
    if (first) first.tabIndex = 0
  }

  #key(event) {
    const cell = event.target.closest('td')
    if (!cell || event.target.matches('input:not([type=checkbox]), textarea')) return
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
    const row = [...this.#rows.values()].find(({ element }) => element === cell.parentElement)
    const field = [...(row?.cells ?? [])].find(([, one]) => one === cell)?.[0]
    if (steps[event.key]) this.#move(cell, ...steps[event.key])
    else if (event.key === 'Home') this.#move(cell, -1000, 0)
    else if (event.key === 'End') this.#move(cell, 1000, 0)
    else if (event.key === 'Delete' && this.#options.canEdit(row.record)) this.#options.remove?.(row.record)
    else if ((event.key === 'Enter' || event.key === 'F2') && field !== undefined) this.#edit(row, field)
    else if (event.key === 'Enter' && event.target === cell) cell.querySelector('button')?.click()
    else if (event.key === ' ' && event.target === cell) cell.querySelector('input')?.click()
    else return
    event.preventDefault()
  }

  #move(cell, across, down, begin = false) {
    const rows = this.#body.children
    const y = [...rows].indexOf(cell.parentElement) + down
    const { children } = rows[Math.min(Math.max(y, 0), rows.length - 1)]
    const x = [...cell.parentElement.children].indexOf(cell) + across
    const next = children[Math.min(Math.max(x, 0), children.length - 1)]
    for (const one of this.#body.querySelectorAll('td[tabindex="0"]')) one.tabIndex = -1
    next.tabIndex = 0
    next.focus()
    if (begin)
      for (const row of this.#rows.values())
        for (const [field, one] of row.cells) if (one === next) this.#edit(row, field)
  }
}

/** What was typed, as the kind that the value was of. */
function typedValue(text, old) {
  if (typeof old === 'string') return text
  const trimmed = text.trim()
  if (trimmed === 'null' || trimmed === 'true' || trimmed === 'false') return JSON.parse(trimmed)
  const isNumber = trimmed !== '' && Number.isFinite(Number(trimmed)) && String(Number(trimmed)) === trimmed
  return isNumber ? Number(trimmed) : text
}

/** A picture of this server; those of others are links, so that the data cannot make the page ask elsewhere. */
function pictureOf(text) {
  if (
    /^data:image\/(png|jpeg|gif|webp);/.test(text) ||
    /^\/(?!\/)[^\s?#]+\.(png|jpe?g|gif|webp|svg|avif)$/i.test(text)
  )
    return make('img', {
      src: text.startsWith('/') ? new URL(`..${text}`, location).href : text,
      alt: text.slice(0, LONG),
      loading: 'lazy',
      title: text.slice(0, 200),
    })
  if (/^https?:\/\/\S+$/.test(text) && URL.canParse(text))
    return make('a', {
      href: text,
      target: '_blank',
      rel: 'noopener noreferrer',
      textContent: text,
      tabIndex: -1,
    })
}

/** Plays the animation of a class, from its beginning where it is under way. */
function restart(element, name) {
  element.classList.remove(name)
  requestAnimationFrame(() => element.classList.add(name))
}
