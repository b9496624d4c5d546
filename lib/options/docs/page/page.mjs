/* global SwaggerUIBundle */
import { addedHeaders, additions } from './additions.mjs'
import { keepFocus, names, references, showResponse } from './operations.mjs'
import { followLogin, NO_RESPONSE, takeResponse } from './session.mjs'

const content = document.getElementById('swagger-ui')
const hasMany = content.dataset.collections === 'many'

const { matches: isDark } = matchMedia('(prefers-color-scheme: dark)')
document.documentElement.classList.toggle('dark-mode', isDark)

/** Looks at the document, at each response, and at each request that gets none, before Swagger UI shows it. */
const watch = {
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (spec) => {
          for (const { takeDocument } of additions) takeDocument(spec)
          return update(spec)
        },
        setResponse:
          (show, { specSelectors }) =>
          (path, method, result) => {
            const operationId = specSelectors.specJson().getIn(['paths', path, method, 'operationId'])
            const response = result.error ? result.err.response : result
            if (response === undefined) Object.assign(result.err, { name: '', message: NO_RESPONSE })
            takeResponse(operationId, response)
            showResponse(operationId)
            return show(path, method, result)
          },
      },
    },
  },
}

const ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  plugins: [watch, names, references],
  requestInterceptor: (request) => {
    Object.assign(request.headers, addedHeaders())
    // A proxy may serve this page behind a prefix that the document does not know: requests go through it.
    request.url = request.url.replace(`${location.origin}/`, new URL('.', location))
    return request
  },
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // page-html.ts sets it.
  filter: hasMany,
  docExpansion: hasMany ? 'none' : 'list',
  tryItOutEnabled: true,
  onComplete: () => followLogin(ui),
})

// In the capture phase, this runs before Swagger UI takes the button away.
content.addEventListener('click', keepFocus, { capture: true })

// Where nothing has the focus, Tab leads to the login, and other keys scroll.
document.body.addEventListener('keydown', ({ target, key }) => {
  if (target === document.body && key !== 'Tab') content.focus()
})
