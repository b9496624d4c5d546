/**
 * Names for boxes, which hold JSON, and for the arrows of schemas, a landmark for the introduction, and a heading
 * between the page's and those of the groups: Swagger UI gives them none. And a path that is a text, not a link: it
 * stands inside of a button.
 */
export const names = {
  wrapComponents: {
    InfoContainer:
      (Introduction, { React }) =>
      (props) =>
        React.createElement(
          'section',
          { 'aria-label': 'Introduction' },
          React.createElement(Introduction, props),
          React.createElement('h2', { className: 'hidden-heading' }, 'Requests'),
        ),
    DeepLink:
      (_Link, { React }) =>
      ({ text }) =>
        React.createElement('span', null, text),
    TextArea:
      (TextArea, { React }) =>
      (props) =>
        React.createElement(TextArea, { 'aria-label': 'JSON', ...props }),
    JSONSchema202012ChevronRightIcon:
      (Arrow, { React }) =>
      () =>
        React.createElement('span', { role: 'img', 'aria-label': 'Fields' }, React.createElement(Arrow)),
  },
}

/**
 * Follows references as in a document of OpenAPI 3.0: for each part of one of 3.1, Swagger UI reads the whole
 * document again (swagger-api/swagger-ui#10748). In Chromium on a busy machine, it then takes 9 s to open an
 * operation at 100 collections, and 40 s at 500; in this way, 1.5 s and 3 s.
 */
export const references = ({ fn: { resolveSubtree } }) => ({
  fn: {
    resolveSubtree: (document, ...how) => resolveSubtree({ ...document, openapi: '3.0.4' }, ...how),
  },
})

/** Scrolls to the response of an operation, as far as its body needs, and lets the keyboard scroll in it. */
export function showResponse(operationId) {
  requestAnimationFrame(() => {
    const operation = document.querySelector(`.opblock[id$="-${operationId}"]`)
    const response = operation?.querySelector('.live-responses-table')
    const body = response?.querySelector('.highlight-code') ?? response
    body?.scrollIntoView({ block: 'nearest' })
    for (const text of operation?.querySelectorAll('pre') ?? []) text.tabIndex = 0
    // Swagger UI disables the button while it waits, which takes the focus from it.
    if (document.activeElement === document.body) focusExecute(operation)
  })
}

/** The button that clears a response goes with it: the focus goes back to the one beside it. */
export function keepFocus({ target }) {
  if (target.matches('.btn-clear')) focusExecute(target.closest('.opblock'))
}

function focusExecute(operation) {
  operation?.querySelector('.execute').focus({ preventScroll: true })
}
