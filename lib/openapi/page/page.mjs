/* global SwaggerUIBundle */
import { groups, names, offerFilter, openLogin, showResponse } from './operations.mjs'
import { sandboxHeaders, withSandboxAtTop } from './sandbox.mjs'
import { followLogin, NO_RESPONSE, takeResponse } from './session.mjs'

const content = document.getElementById('swagger-ui')

const dark = matchMedia('(prefers-color-scheme: dark)')
const followColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followColorScheme)
followColorScheme()

/** Looks at the document, at each response, and at each request that gets none, before Swagger UI shows it. */
const watch = {
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) => update(withSandboxAtTop(document)),
        setResponse:
          (show, { specSelectors }) =>
          (path, method, result) => {
            const { operationId } = specSelectors.specJson().getIn(['paths', path, method]).toJS()
            const response = result.error ? result.err.response : result
            takeResponse(operationId, response)
            showResponse(operationId)
            const noResponse = { error: true, err: { name: '', message: NO_RESPONSE } }
            return show(path, method, response === undefined ? noResponse : result)
          },
      },
    },
  },
}

const ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  plugins: [watch, groups, names],
  requestInterceptor: (request) => {
    Object.assign(request.headers, sandboxHeaders())
    return request
  },
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: false,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => {
    offerFilter(ui)
    content.focus()
    followLogin(ui)
    // Swagger UI has scrolled already, but the page, and not the part of it that scrolls.
    requestAnimationFrame(() => ui.layoutActions.parseDeepLinkHash(location.hash))
  },
})

document.getElementById('log-in').addEventListener('click', () => openLogin(ui))
