/* global SwaggerUIBundle */
import { addedHeaders, isHidden, makeAdditions } from './additions.mjs'
import { groups, logInOnEnter, names, offerFilter, openLogin, showResponse } from './operations.mjs'
import { claims, endSession, followLogin, NO_RESPONSE, takeResponse } from './session.mjs'

const content = document.getElementById('swagger-ui')
const top = document.getElementById('session')

const dark = matchMedia('(prefers-color-scheme: dark)')
const followColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followColorScheme)
followColorScheme()

/** Where this page is served: behind a proxy, with a prefix that the document does not know. */
const { pathname: prefix } = new URL('.', location)

/**
 * The document as the page shows it: requests go through the proxy that served the page, and parameters that
 * have a place of their own are left out.
 */
function asShown(spec) {
  makeAdditions({ top, document: spec, claims, endSession })
  const throughProxy = ({ servers, ...part }) => ({
    ...part,
    ...(servers && { servers: servers.map((server) => ({ ...server, url: prefix + server.url.slice(1) })) }),
  })
  const shown = ([path, { parameters = [], ...item }]) => [
    path,
    throughProxy({ ...item, parameters: parameters.filter((parameter) => !isHidden(parameter)) }),
  ]
  return { ...throughProxy(spec), paths: Object.fromEntries(Object.entries(spec.paths).map(shown)) }
}

/** Looks at the document, at each response, and at each request that gets none, before Swagger UI shows it. */
const watch = {
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (spec) => update(asShown(spec)),
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
    Object.assign(request.headers, addedHeaders())
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
content.addEventListener('keydown', logInOnEnter)
