/** The login, by its names in the document. */
export const LOGIN = { tag: 'Login', operationId: 'logIn' }
/** From so many collections on, the groups are closed at first, and there is a filter. */
const MANY = 10

/**
 * Names for boxes, which hold JSON, for choices and for the arrows of schemas: Swagger UI gives them none. And a path
 * that is a text, not a link: it stands inside of a button.
 */
export const names = {
  wrapComponents: {
    DeepLink:
      (_Link, { React }) =>
      ({ text }) =>
        React.createElement('span', null, text),
    TextArea:
      (TextArea, { React }) =>
      (props) =>
        React.createElement(TextArea, { 'aria-label': 'JSON', ...props }),
    Select:
      (Select, { React }) =>
      (props) => {
        const select = React.createElement(Select, props)
        return props.multiple ? React.createElement('label', null, 'One or several: ', select) : select
      },
    JSONSchema202012ChevronRightIcon:
      (Arrow, { React }) =>
      () =>
        React.createElement('span', { role: 'img', 'aria-label': 'Fields' }, React.createElement(Arrow)),
  },
}

/**
 * Follows references as in a document of OpenAPI 3.0: for each part of one of 3.1, Swagger UI copies the whole document,
 * which takes seconds where there are many collections.
 */
export const references = ({ fn: { resolveSubtree } }) => ({
  fn: {
    resolveSubtree: (document, ...how) => resolveSubtree({ ...document, openapi: '3.0.4' }, ...how),
  },
})

/** How Swagger UI's list of operations behaves where there are many. */
export const groups = {
  statePlugins: {
    layout: {
      wrapSelectors: {
        /** What has not been opened or closed by hand: with a filter, groups are closed until something is typed. */
        isShown: (isShown) => (state, thing, byDefault) => {
          const waits = ['', true].includes(state.get('filter'))
          return isShown(thing, thing[0] === 'operations-tag' ? !waits : byDefault)
        },
      },
    },
  },
}

/** Shows the filter where the document has many collections: only their groups have no description. */
export function offerFilter(ui) {
  const { tags } = ui.specSelectors.specJson().toJS()
  const collections = tags.filter(({ description }) => description === undefined)
  ui.layoutActions.updateFilter(collections.length >= MANY)
}

/** Scrolls to the response of an operation, as far as it needs, and lets the keyboard scroll in it. */
export function showResponse(operationId) {
  requestAnimationFrame(() => {
    const operation = document.querySelector(`.opblock[id$="-${operationId}"]`)
    operation?.querySelector('.live-responses-table')?.scrollIntoView({ block: 'nearest' })
    for (const text of operation?.querySelectorAll('pre') ?? []) text.tabIndex = 0
  })
}

/** Logs in when Enter is pressed in the login's form; with Shift, the key ends a line as usual. */
export function logInOnEnter(event) {
  const login = event.target.closest(`#operations-${LOGIN.tag}-${LOGIN.operationId}`)
  const isTyped = login !== null && event.target.matches('textarea, input')
  if (event.key !== 'Enter' || event.shiftKey || !isTyped) return
  event.preventDefault()
  login.querySelector('.execute')?.click()
}

/** Opens the login and scrolls to it. */
export function openLogin(ui) {
  if (ui.layoutSelectors.currentFilter() !== false) ui.layoutActions.updateFilter(true)
  ui.layoutActions.parseDeepLinkHash(`#/${LOGIN.tag}/${LOGIN.operationId}`)
  // Swagger UI would scroll there slowly.
  ui.layoutActions.clearScrollTo()
  requestAnimationFrame(scrollToLogin)
}

function scrollToLogin() {
  const login = document.getElementById(`operations-${LOGIN.tag}-${LOGIN.operationId}`)
  const button = login?.querySelector('.try-out__btn')
  // Swagger UI creates only the operations near the visible part, is still on the way to this one, and then
  // creates what is in it.
  if (!button) {
    requestAnimationFrame(scrollToLogin)
    return
  }
  login.scrollIntoView()
  const form = login.querySelector('textarea, input') ?? button
  form.focus({ preventScroll: true })
}
