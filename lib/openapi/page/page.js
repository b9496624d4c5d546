/* global SwaggerUIBundle */

const SCHEME = 'bearerAuth'
const OPERATORS = /_(?:ne|gte|lte|like)$/
const session = document.getElementById('session')
const loggedOut = session.innerHTML
let hasToken = false

/** Folds away the filter operators, four for each field, until somebody wants them. */
function operatorsPlugin() {
  return {
    wrapComponents: {
      parameters: (Original, { React }) =>
        function Parameters(props) {
          const [open, setOpen] = React.useState(false)
          const count = props.parameters.filter((parameter) => OPERATORS.test(parameter.get('name'))).size
          const element = React.createElement
          const toggle = element(
            'button',
            {
              type: 'button',
              className: 'btn operators-toggle',
              onClick: () => setOpen(!open),
              'aria-expanded': open,
            },
            `${open ? 'Hide' : 'Show'} ${count} filter operators (_ne, _gte, _lte, _like)`,
          )
          return element(
            'div',
            { className: open ? undefined : 'operators-hidden' },
            count > 0 ? toggle : null,
            element(Original, props),
          )
        },
    },
  }
}

const ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
  plugins: [operatorsPlugin],
  /** Takes over the token of a login that was tried out. */
  responseInterceptor: (response) => {
    if (response.ok && response.url.endsWith('/auth/login')) {
      const token = response.body?.access_token
      if (typeof token === 'string') ui.preauthorizeApiKey(SCHEME, token)
    }
    return response
  },
})

/** Keeps the line at the top of the page true, whoever logs in or out, and wherever. */
ui.getStore().subscribe(() => {
  const authorized = ui.authSelectors.authorized()?.has(SCHEME) ?? false
  if (authorized === hasToken) return
  hasToken = authorized
  if (hasToken) session.textContent = 'Logged in: every request now carries your token.'
  else session.innerHTML = loggedOut
})
