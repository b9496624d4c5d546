import { ExpressAuth, getSession } from '@auth/express'
import express from 'express'

/** Auth.js in Express, as its README has it: a page behind a login. */
const { ISSUER } = process.env
const config = {
  secret: 'a secret of these tests alone',
  trustHost: true,
  providers: [
    {
      id: 'mock',
      name: 'Mock',
      type: 'oidc',
      issuer: ISSUER,
      clientId: 'server',
      clientSecret: 'any',
      checks: ['pkce', 'state', 'nonce'],
    },
  ],
  callbacks: {
    jwt: ({ token, account }) => (account ? { ...token, access: account.access_token } : token),
    session: ({ session, token }) => ({ ...session, access: token.access }),
  },
}
const app = express()
app.use('/auth', ExpressAuth(config))
app.get('/', async (request, response) => {
  response.json(await getSession(request, { ...config, basePath: '/auth' }))
})
app.listen(Number(process.env.PORT), 'localhost')
