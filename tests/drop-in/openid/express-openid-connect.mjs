import express from 'express'
import openid from 'express-openid-connect'
import { createRemoteJWKSet, jwtVerify } from 'jose'

/** A server that logs in by a form which the provider's page sends, and checks the access token by the keys of the provider. */
const { ISSUER, PORT } = process.env
const { auth, requiresAuth } = openid
const app = express()
app.use(
  auth({
    authRequired: false,
    idpLogout: true,
    issuerBaseURL: ISSUER,
    baseURL: `http://localhost:${PORT}`,
    clientID: 'server',
    clientSecret: 'any',
    secret: 'a secret of these tests alone, of some length',
    authorizationParams: { response_type: 'code', response_mode: 'form_post', scope: 'openid profile email' },
  }),
)
const keys = createRemoteJWKSet(new URL(`${ISSUER}/protocol/openid-connect/certs`))
app.get('/', async ({ oidc }, response, next) => {
  if (!oidc.isAuthenticated()) return response.json({ user: null })
  const access = oidc.accessToken.access_token
  jwtVerify(access, keys, { issuer: ISSUER, audience: 'server', typ: 'at+jwt' })
    .then(({ payload }) => response.json({ user: oidc.user, access, subject: payload.sub }))
    .catch(next)
})
app.get('/guarded', requiresAuth(), (_request, response) => response.redirect('/'))
app.listen(Number(PORT), 'localhost')
