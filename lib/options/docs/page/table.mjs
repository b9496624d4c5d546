import { make } from './elements.mjs'

/** Characters of a text that a line shows, and of any text that a cell does. */
const MOST = { line: 60, text: 500 }

/** A table whose cells can be edited. It shows values as text: nothing of the data is ever read as HTML. */
export class Table {
  #actions
  #head = make('tr', {}, make('th', { scope: 'col', className: 'acts' }, make('span', {}, 'actions')))
  #body = make('tbody')
  /** In the order of the columns. */
  #fields = []
  /** In the order in which they stand. */
  #rows = []

  /** @param actions `id`, `canEdit`, `sort`, `edit`, `giveUp`, `editJson`, `editRecord` and `remove`: what is undefined is not offered */
  constructor(actions) {
    this.#actions = actions
    this.element = make('table', {}, make('thead', {}, this.#head), this.#body)
    this.#body.ondblclick = ({ target }) => this.#edit(target.closest('td'))
    this.#body.onkeydown = (event) => {
      if (event.key !== 'Enter' || event.target.tagName !== 'TD') return
      event.preventDefault()
      this.#edit(event.target)
    }
  }

  /**
   * Shows these records. A row that was there stays the same element, so that nobody who edits it is disturbed.
   *
   * @param options `sorted`: the field and the order; `flash`: whether what is new is made visible
   */
  show(records, { sorted: [field, order], flash }) {
    this.#addFields(records)
    for (const head of this.#head.children) {
      const isSorted = field !== null && head.textContent === field && !head.classList.contains('acts')
      head.ariaSort = isSorted ? (order === 'desc' ? 'descending' : 'ascending') : null
    }
    const known = new Map(this.#rows.map((row) => [row.key, row]))
    this.#rows = records.map((record, index) => {
      const key = this.#keyOf(record) ?? index
      const row = known.get(key) ?? { key, element: make('tr', {}, this.#makeActs()) }
      const isNew = !known.delete(key)
      this.#fill(row, record, flash && !isNew)
      if (flash && isNew) for (const cell of row.element.cells) mark(cell, 'created')
      return row
    })
    for (const { element } of known.values()) element.remove()
    for (const [index, { element }] of this.#rows.entries())
      if (this.#body.children[index] !== element)
        this.#body.insertBefore(element, this.#body.children[index] ?? null)
  }

  /** Shows what has become of the record in a row. */
  update(index, record) {
    this.#addFields([record])
    this.#fill(this.#rows[index], record, true)
  }

  markDeleted(index) {
    this.#rows[index]?.element.classList.add('deleted')
  }

  #keyOf(record) {
    const id = record[this.#actions.id]
    return typeof id === 'string' || typeof id === 'number' ? `${typeof id} ${id}` : undefined
  }

  /** Adds columns for fields that have none. */
  #addFields(records) {
    const { id, sort } = this.#actions
    const added = [...new Set(records.flatMap(Object.keys))].filter((field) => !this.#fields.includes(field))
    added.sort((one, other) => (other === id) - (one === id))
    for (const field of added) {
      this.#fields.push(field)
      const isNumber = field !== id && records.some((record) => typeof record[field] === 'number')
      const head = make('th', { scope: 'col', className: field === id ? 'id' : isNumber ? 'number' : '' })
      head.append(sort ? make('button', { type: 'button', onclick: () => sort(field) }, field) : field)
      this.#head.lastChild.before(head)
    }
    if (added.length > 0) for (const row of this.#rows) this.#fill(row, row.record, false)
  }

  #fill(row, record, flash) {
    const before = row.record
    row.record = record
    row.element.classList.remove('deleted')
    for (const [index, field] of this.#fields.entries()) {
      const isNew = index === row.element.cells.length - 1
      if (isNew) row.element.lastChild.before(make('td'))
      const cell = row.element.cells[index]
      const value = valueIn(record, field)
      if (!isNew && isSame(valueIn(before, field), value)) continue
      if (cell.querySelector('.edit') === null) this.#draw(cell, row, field)
      if (flash) mark(cell, 'updated')
    }
    for (const button of row.element.querySelectorAll('.remove'))
      button.hidden = !this.#actions.canEdit(record)
  }

  #makeActs() {
    const { editRecord, remove } = this.#actions
    const act = (text, title, className, run) =>
      make(
        'button',
        {
          type: 'button',
          title,
          ariaLabel: title,
          className,
          onclick: ({ target }) => run(this.#at(target).row.record),
        },
        text,
      )
    const acts = make('td', { className: 'acts' }, act('{ }', 'The record as JSON', '', editRecord))
    if (remove) acts.append(act('✕', 'Delete', 'remove', remove))
    return acts
  }

  /** The row and the field of an element within a cell. */
  #at(element) {
    const { cellIndex, parentElement } = element.closest('td')
    return {
      row: this.#rows.find((row) => row.element === parentElement),
      field: this.#fields[cellIndex],
    }
  }

  #canEdit(row, field) {
    return this.#actions.canEdit(row.record) && field !== this.#actions.id
  }

  #draw(cell, row, field) {
    const value = valueIn(row.record, field)
    const canEdit = this.#canEdit(row, field)
    cell.className = field === this.#actions.id ? 'id' : value === null ? 'null' : typeof value
    cell.title = ''
    cell.removeAttribute('tabindex')
    if (typeof value === 'boolean') {
      const box = make('input', { type: 'checkbox', checked: value, disabled: !canEdit, ariaLabel: field })
      box.onchange = async () => {
        const isSaved = (await this.#actions.edit(row.record, field, box.checked)) === undefined
        if (!isSaved) box.checked = valueIn(row.record, field)
      }
      cell.replaceChildren(box)
      return
    }
    if (canEdit || typeof value === 'object') cell.tabIndex = 0
    const text = textOf(value)
    if (text.length > MOST.line) cell.title = text.slice(0, MOST.text)
    cell.replaceChildren(
      (typeof value === 'string' && (pictureOf(value) ?? linkOf(value))) || shortened(text, value),
    )
  }

  /** Begins to edit a cell: in its place, or as JSON where it holds more than a value. */
  #edit(cell) {
    if (cell === null || cell.querySelector('input, textarea') !== null) return
    const { row, field } = this.#at(cell)
    if (field === undefined) return
    const value = valueIn(row.record, field)
    if (typeof value === 'object' && value !== null) this.#actions.editJson(row.record, field)
    else if (this.#canEdit(row, field)) this.#editInPlace(cell, row, field)
  }

  #editInPlace(cell, row, field) {
    const value = valueIn(row.record, field)
    const text = value === null ? '' : textOf(value)
    const isLong = text.length > MOST.line || text.includes('\n')
    const input = make(isLong ? 'textarea' : 'input', { className: 'edit', value: text, ariaLabel: field })
    const refusal = make('small', { role: 'alert' })
    let saved = text
    const end = () => {
      const hadFocus = document.activeElement === input
      // To leave an input saves it.
      input.onblur = null
      this.#draw(cell, row, field)
      if (hadFocus) cell.focus()
    }
    // What is typed stays until it is saved, so that a refusal loses nothing.
    const save = async () => {
      if (input.value === saved) return input.ariaInvalid === 'true' || end()
      saved = input.value
      const reason = await this.#actions.edit(row.record, field, typedValue(saved, value))
      if (reason === undefined) return end()
      input.ariaInvalid = 'true'
      refusal.textContent = reason
    }
    input.onblur = save
    input.onkeydown = (event) => {
      const { key, shiftKey } = event
      if (key === 'Escape') {
        if (input.ariaInvalid === 'true') this.#actions.giveUp()
        end()
      } else if (key === 'Tab' || (key === 'Enter' && !shiftKey)) {
        event.preventDefault()
        const next = key === 'Tab' && this.#next(cell, shiftKey ? -1 : 1)
        save()
        // What is typed next belongs to the next cell, also before this one is saved.
        if (next) next.focus()
        if (next) this.#edit(next)
      }
    }
    cell.replaceChildren(input, refusal)
    input.focus()
    input.select()
  }

  #next(cell, step) {
    const cells = [...this.#body.querySelectorAll('td[tabindex]')]
    return cells[cells.indexOf(cell) + step]
  }
}

/** A record may have a field that is called as one of every object's. */
function valueIn(record, field) {
  return Object.hasOwn(record, field) ? record[field] : undefined
}

function isSame(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function textOf(value) {
  if (value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function shortened(text, value) {
  return text.slice(0, typeof value === 'object' ? MOST.line : MOST.text)
}

/** What was typed: a text stays a text, and a number a number. */
function typedValue(text, before) {
  if (typeof before === 'string') return text
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? text : value
  } catch {
    return text
  }
}

/** A picture of this server, or in the data: one of another would make the page ask there. */
function pictureOf(text) {
  const isOwn = /^\/(?!\/)[^\s?#\\]+\.(png|jpe?g|gif|webp|avif)$/i.test(text)
  if (!isOwn && !/^data:image\/(png|jpeg|gif|webp);/.test(text)) return undefined
  return make('img', { src: isOwn ? `..${text}` : text, alt: text.slice(0, MOST.line), loading: 'lazy' })
}

function linkOf(text) {
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined
  return make('a', { href: text, target: '_blank', rel: 'noopener noreferrer' }, text)
}

/** Flashes a cell in the colour of what has become of it. */
function mark(cell, kind) {
  for (const flash of cell.getAnimations()) flash.cancel()
  cell.animate([{ background: `var(--${kind})` }, {}], { duration: 2000, easing: 'ease-in' })
}
