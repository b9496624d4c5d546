import { $, make } from './elements.mjs'

/**
 * Shows a value as JSON, in the one dialog of the page.
 *
 * @param save sends what it has become; undefined where nothing may change it
 */
export function openEditor(title, value, save) {
  $('editor-title').textContent = title
  $('json').value = JSON.stringify(value, null, 2)
  $('json').readOnly = save === undefined
  $('save').hidden = save === undefined
  $('editor-refused').replaceChildren()
  $('editor-form').onsubmit = async (event) => {
    event.preventDefault()
    try {
      await save(JSON.parse($('json').value))
      $('editor').close()
    } catch ({ message, fields = [] }) {
      const reasons = fields.length > 0 ? fields.map((field) => field.join(': ')) : [message]
      $('editor-refused').replaceChildren(...reasons.map((reason) => make('p', {}, reason)))
    }
  }
  $('editor').showModal()
}

$('cancel').onclick = () => $('editor').close()
// The login is in the page, under the dialog.
addEventListener('unauthorized', () => $('editor').close())
