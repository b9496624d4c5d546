/* global SwaggerUIBundle */
import { person, tokenIn } from './person.mjs'

/** With more groups than this, they are closed at first, and there is a filter. */
const FEW = 16

const spec = await (await fetch('openapi.json')).json()
const hasMany = spec.tags.length > FEW
document.title = spec.info.title
document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches)
// A proxy may serve this page below a prefix that the document does not know: requests go through it.
spec.servers = [{ url: new URL('.', location).href.slice(0, -1) }]

for (const { post } of Object.values(spec.paths)) {
  if (!post?.operationId.startsWith('logIn')) continue
  for (const { schema } of Object.values(post.requestBody.content)) {
    const fields = Object.entries(schema.properties)
    if (!fields.some(([name]) => person.has(name))) continue
    for (const [name, field] of fields)
      if (field.format === 'password') field.examples = ['']
      else if (person.has(name)) field.examples = [person.get(name)]
  }
}

/** Shows the sandbox that the requests are for, beside the button that asks for its name. */
const sandbox = {
  wrapComponents: {
    authorizeBtn:
      (Button, { React, authSelectors }) =>
      (props) => {
        // The browser may remember one from a server that had sandboxes.
        const hasSandboxes = 'sandbox' in spec.components.securitySchemes
        const name = hasSandboxes && authSelectors.authorized()?.getIn(['sandbox', 'value'])
        const text = name && React.createElement('p', { role: 'status' }, `In the sandbox ${name}`)
        return React.createElement(React.Fragment, null, text, React.createElement(Button, props))
      },
  },
}

/** What the page of the data shares, in the same tab, by the names that it has here. */
const SHARED = { bearerAuth: 'token', sandbox: 'sandbox' }

/** Keeps who is logged in, and in which sandbox, where the page of the data has it. */
const keep = {
  statePlugins: {
    auth: {
      wrapActions: {
        persistAuthorizationIfNeeded:
          (_, { authSelectors }) =>
          () => {
            for (const [scheme, name] of Object.entries(SHARED)) {
              const value = authSelectors.authorized()?.getIn([scheme, 'value'])
              if (value) sessionStorage[name] = value
              else sessionStorage.removeItem(name)
            }
          },
      },
    },
  },
}

/** Whoever executes an operation whose response holds a token, such as a login, is logged in from then on. */
const logIn = {
  statePlugins: {
    spec: {
      wrapActions: {
        setResponse: (show) => (path, method, response) => {
          const token = response.ok ? tokenIn(response.body, spec.paths[path][method]) : undefined
          if (token !== undefined) {
            ui.preauthorizeApiKey('bearerAuth', token)
            ui.authActions.persistAuthorizationIfNeeded()
          }
          return show(path, method, response)
        },
      },
    },
  },
}

/**
 * Follows references as in a document of OpenAPI 3.0: for each part of one of 3.1, Swagger UI reads the whole
 * document again (swagger-api/swagger-ui#10748). In Chromium on a busy machine, it then takes 9 s to open an
 * operation at 100 collections, and 40 s at 500; in this way, 1.5 s and 3 s.
 */
const references = ({ fn: { resolveSubtree } }) => ({
  fn: {
    resolveSubtree: (document, ...how) => resolveSubtree({ ...document, openapi: '3.0.4' }, ...how),
  },
})

const ui = SwaggerUIBundle({
  spec,
  dom_id: '#swagger-ui',
  plugins: [sandbox, keep, logIn, references],
  tryItOutEnabled: true,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  filter: hasMany,
  onComplete() {
    for (const [scheme, name] of Object.entries(SHARED))
      if (sessionStorage[name]) ui.preauthorizeApiKey(scheme, sessionStorage[name])
  },
  docExpansion: hasMany ? 'none' : 'list',
  oauth2RedirectUrl: new URL('docs/oauth2-redirect.html', location).href,
})
ui.initOAuth({ clientId: 'docs', scopes: 'openid', usePkceWithAuthorizationCodeGrant: true })
